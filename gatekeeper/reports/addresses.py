"""Nodeids and what JUnit makes of them."""

from __future__ import annotations


def split(nodeid: str) -> tuple[str, str]:
    """The nodeid of the function, and its parameters: from the first bracket after the first ``::`` on."""
    path, mark, rest = nodeid.partition("::")
    name, bracket, parameters = rest.partition("[")
    return path + mark + name, bracket + parameters


def dotted(node: str) -> tuple[str, str]:
    """The ``classname`` and ``name`` that pytest writes for a nodeid without parameters."""
    path, *names = node.split("::")
    parts = [path.replace("/", ".").removesuffix(".py"), *names]
    return ".".join(parts[:-1]), parts[-1]
