"""Gatekeeper: a gate for pushes that a coding agent cannot talk to, edit or outrun."""

__version__ = "0.1.0"
