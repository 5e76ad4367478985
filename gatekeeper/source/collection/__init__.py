"""The nodeids that pytest would collect from a tree, without pytest."""
