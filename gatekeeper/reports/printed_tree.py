"""The tree that ``pytest --collect-only`` prints: what is in what, by indentation."""

from __future__ import annotations

import re

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NODE = re.compile(r"( *)<([A-Za-z_]\w*) (.*)>")
_DIRECTORIES = frozenset({"Dir", "Package"})


def leaves(lines: Iterable[str]) -> list[str]:
    """The nodeids of the items: of all that holds nothing else.

    The outermost directory is the rootdir, which no nodeid names. Lines of another form are docstrings (``-v``).
    """
    found: list[str] = []
    chain: list[tuple[int, str, str]] = []
    last = -1
    for line in lines:
        match = NODE.fullmatch(line)
        if match is None:
            continue
        depth = len(match[1])
        if last >= depth and chain:
            found.append(_nodeid(chain))
        while chain and chain[-1][0] >= depth:
            chain.pop()
        chain.append((depth, match[2], match[3]))
        last = depth
    if chain:
        found.append(_nodeid(chain))
    return found


def _nodeid(chain: list[tuple[int, str, str]]) -> str:
    kinds = [(kind, name) for _, kind, name in chain]
    if kinds[0][0] in _DIRECTORIES and kinds[0][1] != ".":
        kinds = kinds[1:]
    path = []
    while kinds and kinds[0][0] in _DIRECTORIES:
        path.append(kinds.pop(0)[1])
    if kinds:
        path.append(kinds.pop(0)[1])
    return "::".join(["/".join(path), *(name for _, name in kinds)])
