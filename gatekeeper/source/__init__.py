"""Static reading of Python: the public surface of a tree as rows, without importing or running any of it."""
