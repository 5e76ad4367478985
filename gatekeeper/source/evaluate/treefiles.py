"""Files of the tree that a module reads while it is imported: ``open``, ``pathlib.Path``, ``json.load``."""

from __future__ import annotations

import fnmatch
import json
import pathlib
import posixpath

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MAX_TEXT
from gatekeeper.source.evaluate.frames import Raised, Undecided
from gatekeeper.source.evaluate.values import ROOT, Thing, Unknown
from gatekeeper.source.files import DIRECTORY, FILE, watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.evaluate.interpreter import Interpreter


class TreeFile(Thing):
    """An open file of the tree."""

    __slots__ = ("content",)

    def __init__(self, content: str | bytes) -> None:
        super().__init__("io.TextIOWrapper")
        object.__setattr__(self, "content", content)


def inside(path: Any, cwd: str) -> str | None:
    """Where in the tree a path is that is relative or was made of ``__file__``; None for any other."""
    text = str(path)
    if not text.startswith("/"):
        text = f"{ROOT}/{cwd}/{text}"
    if text != ROOT and not text.startswith(ROOT + "/"):
        return None
    found = posixpath.normpath(text)
    return found[len(ROOT) + 1 :] if found == ROOT or found.startswith(ROOT + "/") else None


def _content(world: Interpreter, path: Any, *, binary: bool) -> Any:
    place = inside(path, world.cwd) if isinstance(path, str | pathlib.PurePosixPath) else None
    if place is None:
        return Unknown("a file outside of the tree")
    data = world.files.read(place) if world.files.kind(place) == FILE else None
    if data is None:
        return Unknown(f"{place} is not in the tree")
    if len(data) > 4 * MAX_TEXT:
        raise Undecided(f"{place} is too large")
    if binary:
        return data
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Raised("UnicodeDecodeError") from None


def _open(world: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> Any:
    mode = args[1] if len(args) > 1 else kwargs.get("mode", "r")
    encoding = kwargs.get("encoding", "utf-8")
    if mode not in {"r", "rb", "rt"} or not isinstance(encoding, str) or encoding.lower() not in {"utf-8", "utf8"}:
        return Unknown("an open file")
    content = _content(world, args[0], binary=mode == "rb")
    return content if isinstance(content, Unknown) else TreeFile(content)


def path_method(
    world: Interpreter, owner: pathlib.PurePosixPath, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """A method of a path that looks at the tree."""
    if name in {"read_text", "read_bytes"}:
        return _content(world, owner, binary=name == "read_bytes")
    if name == "open":
        return _open(world, [owner, *args], kwargs)
    place = inside(owner, world.cwd)
    if place is None:
        return Unknown("a path outside of the tree")
    if name in {"resolve", "absolute", "expanduser"}:
        if not owner.is_absolute():
            owner = pathlib.PurePosixPath(ROOT, world.cwd, owner)
        return pathlib.PurePosixPath(posixpath.normpath(owner))
    kind = world.files.kind(place)
    if kind not in {FILE, DIRECTORY, None}:
        return Unknown(f"{place} is a link")
    if name in {"exists", "is_file", "is_dir"}:
        if kind is None:
            return Unknown(f"whether {place} is made by something else")
        return kind == {"is_file": FILE, "is_dir": DIRECTORY}.get(name, kind)
    return Unknown(f"the order in which {name}() finds files") if name != "glob" else _glob(world, owner, place, args)


def _glob(world: Interpreter, owner: pathlib.PurePosixPath, place: str, args: list[Any]) -> Any:
    pattern = args[0] if args else None
    if not isinstance(pattern, str) or "/" in pattern or "**" in pattern:
        return Unknown("the files that glob() finds")
    watch(world.files, place)
    names = [one.name for one in world.files.list(place) if fnmatch.fnmatchcase(one.name, pattern)]
    # The order is that of the file system: as a set, it can be sorted.
    return {owner / name for name in names}


READING = frozenset({"read", "readlines", "close"})


def file_method(owner: TreeFile, name: str) -> Any:
    """A method of an open file of the tree: what it gives the first time."""
    content: Any = owner.content  # type: ignore[attr-defined]
    if name == "close":
        return None
    object.__setattr__(owner, "content", content[:0])
    return content if name == "read" else content.splitlines(keepends=True)


def _path(_world: Interpreter, args: list[Any], _kwargs: dict[str, Any]) -> Any:
    for one in args:
        if not isinstance(one, str | pathlib.PurePosixPath):
            return one if isinstance(one, Unknown) else Unknown("a path that is not known")
    return pathlib.PurePosixPath(*args)


def _json_load(_world: Interpreter, args: list[Any], _kwargs: dict[str, Any]) -> Any:
    if not isinstance(args[0], TreeFile):
        return args[0] if isinstance(args[0], Unknown) else Unknown("json.load() of something")
    try:
        return json.loads(args[0].content)  # type: ignore[attr-defined]
    except (ValueError, RecursionError):
        raise Raised("ValueError") from None


PATH_METHODS = frozenset(
    [
        "read_text",
        "read_bytes",
        "open",
        "exists",
        "is_file",
        "is_dir",
        "resolve",
        "absolute",
        "glob",
        "rglob",
        "iterdir",
        "expanduser",
    ]
)
PATHS: dict[str, Callable[[Interpreter, list[Any], dict[str, Any]], Any]] = {
    "builtins.open": _open,
    "io.open": _open,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PosixPath": _path,
    "pathlib.PurePosixPath": _path,
    "json.load": _json_load,
}
"""Calls that look at the tree, by full dotted name."""
