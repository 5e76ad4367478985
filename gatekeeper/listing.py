"""Which files of a tree are the sources whose public names count, and where imports start."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.model import FILE, TREE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.context import Context
    from gatekeeper.model import Change, Oid

_SUFFIXES = (b".py", b".pyi")
_MARKER = b"/py.typed"
_KIND = 0o170000
_FORM = b"listing 1\n"


class Listing(NamedTuple):
    """Path and oid of every source of a tree, ``py.typed`` included; and of the links among them."""

    files: dict[bytes, Oid]
    links: dict[bytes, Oid]

    def changed(self, changes: Iterable[Change]) -> Listing:
        """The files of the tree that these changes of sources lead to; the links are those of before."""
        files = dict(self.files)
        for change in changes:
            files.pop(change.path, None)
            if is_file(change.new_mode):
                files[change.path] = change.new_oid
        return Listing(files, self.links)


def is_source(name: bytes) -> bool:
    """Whether a path is part of the surface by its name: Python, a stub, or the marker of a typed package."""
    return name.endswith(_SUFFIXES) or name.endswith(_MARKER)


def is_file(mode: int) -> bool:
    """Whether a mode is that of a plain file."""
    return mode & _KIND == FILE & _KIND


def counts(ctx: Context, change: Change) -> bool:
    """Whether a change is one of a source."""
    ours = is_source(change.path) and (is_file(change.old_mode) or is_file(change.new_mode))
    return ours and ctx.zones.is_source(change.path)


def list_sources(ctx: Context, tree: Oid, chosen: tuple[str, ...] = (), *, keep: bool = False) -> Listing:
    """The sources of a tree; of all that lies below the ``chosen`` roots, where any are.

    Args:
        ctx: whose zones and cache are used.
        tree: the tree.
        chosen: import roots instead of those that the policy gives.
        keep: whether the cache may keep the listing: only that of a trusted tree.
    """
    cache = None if chosen else ctx.shared.cache
    key = "" if cache is None else _key(ctx, tree)
    kept = None if cache is None else cache.get(key)
    if kept is not None and kept.startswith(_FORM):
        return _parsed(kept, len(tree))
    below = tuple(root.encode("utf-8", "surrogateescape") + b"/" if root else b"" for root in chosen)
    found = Listing({}, {})
    for path, mode, oid in _walk(ctx, tree):
        if (is_source(path) or not is_file(mode)) and (path.startswith(below) if chosen else ctx.zones.is_source(path)):
            (found.files if is_file(mode) else found.links)[path] = oid
    if keep and cache is not None:
        cache.put(key, _written(found))
    return found


def _walk(ctx: Context, tree: Oid) -> Iterator[tuple[bytes, int, Oid]]:
    """Every entry of a tree that is no directory, in the order of a walk."""
    stack = [(b"", tree)]
    while stack:
        prefix, oid = stack.pop()
        inner = []
        for entry in ctx.objects.tree(oid):
            path = prefix + entry.name
            if entry.mode == TREE:
                inner.append((path + b"/", entry.oid))
            else:
                yield path, entry.mode, entry.oid
        stack.extend(reversed(inner))


def _key(ctx: Context, tree: Oid) -> str:
    return f"{tree.hex()}-{policy_key(ctx)}-listing"


def policy_key(ctx: Context) -> str:
    """What names the policy in a key of the cache: it decides what counts, and what is protected.

    That depends on the patterns of every layer, on the roots found, and on who generates files.
    """
    from hashlib import sha256

    own = [patterns for name, patterns in ctx.policy.layers[0].generated if name == ctx.actor.name]
    policy = repr((ctx.policy.layers, ctx.zones.roots, own)).encode("utf-8", "surrogatepass")
    return sha256(policy).hexdigest()[:32]


def _written(listing: Listing) -> bytes:
    """One entry after the other: ``-`` or ``l``, the oid, the path, a NUL (which no path has)."""
    lines = [b"-%s%s\0" % (oid, path) for path, oid in listing.files.items()]
    lines += [b"l%s%s\0" % (oid, path) for path, oid in listing.links.items()]
    return _FORM + b"".join(lines)


def _parsed(data: bytes, size: int) -> Listing:
    found = Listing({}, {})
    place = len(_FORM)
    while place < len(data):
        start = place + 1 + size
        end = data.index(b"\0", start)
        table = found.links if data[place : place + 1] == b"l" else found.files
        table[data[start:end]] = data[place + 1 : start]
        place = end + 1
    return found


def roots(ctx: Context) -> tuple[str, ...]:
    """The import roots: what comes before the first wildcard of a writable pattern, or the top of the tree."""
    found = {""}
    for line in ctx.zones.roots:
        plain = line.partition(b"*")[0].strip(b"/")
        if line.endswith(b"/**") and plain and not _is_package(ctx, plain):
            found.add(plain.decode("utf-8", "surrogateescape"))
    return tuple(sorted(found))


def _is_package(ctx: Context, path: bytes) -> bool:
    entry = None if ctx.trusted is None else ctx.trusted.tree.entry(path)
    if entry is None or entry.mode != TREE:
        return False
    return any(child.name in (b"__init__.py", b"__init__.pyi") for child in ctx.objects.tree(entry.oid))
