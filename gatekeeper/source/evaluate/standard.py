"""What is known of the standard library without importing it."""

from __future__ import annotations

import sys


def is_standard(name: str) -> bool:
    """Whether a top-level module name is one of the standard library's."""
    return name in sys.stdlib_module_names or name == "builtins"
