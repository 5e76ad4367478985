"""What makes a property prove less than it seems to: one module a kind of place."""
