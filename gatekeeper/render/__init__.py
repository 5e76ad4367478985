"""Scorecards for people and machines, one module a format. The verdict never depends on the format."""
