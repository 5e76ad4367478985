"""The one tree diff and the one tree walk, pure and lazy, the same over every backend.

No renames, no attributes, no configuration: a rename is a delete and an add, a mode change is a change. Directories
whose object ids are equal are never read. Both generators keep their own stack, since 30,000 nested directories end a
recursive walk (git's own diff included) with a crash.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import LimitExceeded, MalformedObject
from gatekeeper.git.tree import CANONICAL, is_tree, shown, sort_key
from gatekeeper.model import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Entry, Oid

    Pair = tuple[Entry | None, Entry | None]

MAX_PATH = 4096
"""Bytes in a path that is new or changed: PATH_MAX, beyond which no system checks it out."""


def diff_trees(objects: Objects, old: Oid | None, new: Oid | None) -> Iterator[Change]:
    """Every path whose (mode, oid) differs between two trees (None: the empty one), sorted by path bytes, lazily.

    This is what ``git diff-tree -r --raw -z --no-renames`` prints: files, links and gitlinks; a file that becomes a
    directory is a delete and adds. One difference: git rewrites modes such as 100664 before it compares, here they are
    compared as stored.

    Raises:
        MalformedObject: a changed entry of the new side has a mode that is not canonical, or an object cannot be read.
        LimitExceeded: deeper than ``limits.depth``, more than ``limits.entries``, a path longer than :data:`MAX_PATH`.
        MissingObject: a tree on the way is not there.
    """
    if old == new:
        return
    stack = [(b"", _pairs(objects, old, new))]
    while stack:
        prefix, pairs = stack[-1]
        for before, after in pairs:
            entry = after or before
            assert entry is not None  # noqa: S101 -- _pairs yields no empty pair
            path = prefix + entry.name
            if after is not None and after.mode not in CANONICAL:
                raise MalformedObject(f"{shown(path)} has the mode {after.mode:o}, which git does not write")
            if after is not None and len(path) > MAX_PATH:
                raise LimitExceeded(f"{shown(path)} is a path of {len(path)} bytes, the limit is {MAX_PATH}")
            if is_tree(entry.mode):
                if before is None or after is None or before.oid != after.oid:
                    _check_depth(objects, len(stack) + 1, path)
                    children = _pairs(objects, before and before.oid, after and after.oid)
                    stack.append((path + b"/", children))
                    break
                continue
            yield Change(path, *_side(before), *_side(after))
        else:
            stack.pop()


def walk_tree(objects: Objects, tree: Oid) -> Iterator[tuple[bytes, int, Oid]]:
    """Every file, link and gitlink below a tree as (path, mode, oid), sorted by path bytes: ``git ls-tree -r -z``.

    Raises:
        MalformedObject, LimitExceeded, MissingObject: as :func:`diff_trees`; modes are yielded as stored.
    """
    stack = [(b"", iter(_charged(objects, tree)))]
    while stack:
        prefix, entries = stack[-1]
        for entry in entries:
            path = prefix + entry.name
            if is_tree(entry.mode):
                _check_depth(objects, len(stack) + 1, path)
                stack.append((path + b"/", iter(_charged(objects, entry.oid))))
                break
            yield path, entry.mode, entry.oid
        else:
            stack.pop()


def _pairs(objects: Objects, old: Oid | None, new: Oid | None) -> Iterator[Pair]:
    """The entries that differ between two trees, paired by name and by being a directory or not, in git's order.

    A file and a directory of one name have different keys and so come as two pairs. Set differences make the cost of a
    large directory with one change that of two passes in C.
    """
    before = objects.tree(old) if old is not None else ()
    after = objects.tree(new) if new is not None else ()
    gone = {sort_key(entry): entry for entry in set(before).difference(after)}
    came = {sort_key(entry): entry for entry in set(after).difference(before)}
    keys = sorted(gone.keys() | came.keys())
    objects.charge(len(keys))
    for key in keys:
        yield gone.get(key), came.get(key)


def _charged(objects: Objects, tree: Oid) -> tuple[Entry, ...]:
    entries = objects.tree(tree)
    objects.charge(len(entries))
    return entries


def _side(entry: Entry | None) -> tuple[int, Oid]:
    return (0, b"") if entry is None else (entry.mode, entry.oid)


def _check_depth(objects: Objects, depth: int, path: bytes) -> None:
    if depth > objects.limits.depth:
        raise LimitExceeded(f"{shown(path)} is nested deeper than {objects.limits.depth} directories (limit: depth)")
