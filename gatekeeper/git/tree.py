"""A strict reader of tree objects.

git and libgit2 read malformed trees in different ways: of a name that is listed twice, a lookup returned one copy and
checkout wrote the other; unsorted entries hide from a binary search. What this parser accepts has one reading only.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import MalformedObject
from gatekeeper.model import EXECUTABLE, FILE, GITLINK, SYMLINK, TREE, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

CANONICAL = frozenset({TREE, FILE, EXECUTABLE, SYMLINK, GITLINK})
"""The modes that git writes today. Old repositories hold others: only the new side of a change is held to these."""

_MODES = {b"40000": TREE, b"100644": FILE, b"100755": EXECUTABLE, b"120000": SYMLINK, b"160000": GITLINK}
_TYPE, _DIRECTORY = 0o170000, 0o040000
_SHOWN = 64
_new = tuple.__new__


def is_tree(mode: int) -> bool:
    """Whether git descends into an entry of this mode, canonical or not."""
    return mode & _TYPE == _DIRECTORY


def sort_key(entry: Entry) -> bytes:
    """What git orders entries by: a directory's name counts as if it ended with a slash."""
    return entry[0] + b"/" if is_tree(entry[1]) else entry[0]


def parse_tree(data: bytes, oid_size: int) -> tuple[Entry, ...]:
    """The entries of a tree object's content, in git's order; ``oid_size`` is 20 or 32.

    Names like ``.``, ``..`` and ``.git`` are let through: they have a rule of their own, which can name the path.

    Raises:
        MalformedObject: truncated; a mode that is not octal, zero-padded or too long; a name that is empty, holds a
            slash or occurs twice (also once as a file and once as a directory); wrong order; the null oid.
    """
    entries: list[Entry] = []
    names: list[bytes] = []
    keys: list[bytes] = []
    add, add_name, add_key, find, known = entries.append, names.append, keys.append, data.find, _MODES.get
    pos, end = 0, len(data)
    while pos < end:
        space = find(b" ", pos, pos + 7)
        nul = find(b"\0", space)
        stop = nul + 1 + oid_size
        if space < 0 or nul < 0 or stop > end:
            raise MalformedObject(f"entry {len(entries)} is truncated or has no mode")
        mode = known(data[pos:space])
        if mode is None:
            mode = _odd_mode(data[pos:space], len(entries))
        name = data[space + 1 : nul]
        add(_new(Entry, (name, mode, data[nul + 1 : stop])))
        add_name(name)
        add_key(name + b"/" if mode == TREE or is_tree(mode) else name)
        pos = stop
    distinct = set(names)
    if len(distinct) != len(names) or keys != sorted(keys) or b"" in distinct or b"/" in b"".join(names):
        raise MalformedObject(_fault(names, keys))
    if bytes(oid_size) in {entry[2] for entry in entries}:
        raise MalformedObject("an entry has the null object id")
    return tuple(entries)


def _odd_mode(text: bytes, index: int) -> int:
    if not text or text[:1] == b"0" or text.strip(b"01234567"):
        raise MalformedObject(f"entry {index} has the mode {shown(text)}")
    return int(text, 8)


def _fault(names: Iterable[bytes], keys: Iterable[bytes]) -> str:
    """Say which name breaks the rules; called only when one does."""
    seen: set[bytes] = set()
    last = b""
    for name, key in zip(names, keys, strict=True):
        if not name:
            return "an entry has an empty name"
        if b"/" in name:
            return f"an entry's name holds a slash: {shown(name)}"
        if name in seen:
            return f"the name {shown(name)} occurs twice"
        if key < last:
            return f"the entry {shown(name)} is out of order"
        seen.add(name)
        last = key
    return "entries are out of order"


def shown(name: bytes) -> str:
    """A name fit for a message: ASCII, quoted, escaped, cut off where it gets long."""
    return ascii(name[:_SHOWN])[1:] + ("..." if len(name) > _SHOWN else "")
