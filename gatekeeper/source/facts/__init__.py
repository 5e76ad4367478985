"""Phase one: what one source says, from its bytes alone, as JSON that can be kept."""
