"""Phase two: the facts of all sources become the rows of the public surface."""
