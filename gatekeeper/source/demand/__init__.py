"""The rows that a change can have moved, without linking the rest of the tree."""
