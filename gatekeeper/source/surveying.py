"""The state of named properties in trees: from the cache where it is kept, from a worker where it is not.

What was made of a trusted tree is kept with every path that it depends on. A push that changes none of them leaves
every property what it was, and nothing is read for it.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.bounded.survey import Survey
from gatekeeper.source.depends import Depends
from gatekeeper.source.outlines import Skeleton

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from gatekeeper.source.cache import Cache
    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.gitfiles import Tree

FORM = f"1-{sys.version_info.major}.{sys.version_info.minor}"
"""Of what is kept; another one is read again."""


class State(NamedTuple):
    """What a nodeid is in one tree; ``verdict`` is ``missing`` or one of a collection's, ``ids`` how many are known."""

    verdict: str
    why: str = ""
    path: str = ""
    line: int = 0
    conditions: tuple[str, ...] = ()
    ids: int = 0
    digest: str = ""
    modules: tuple[tuple[str, str], ...] = ()

    @property
    def collected(self) -> bool:
        """Whether pytest would collect it, for all that is known."""
        return self.verdict != "missing"


class Reason(NamedTuple):
    """Why a property is not what it was, or proves little: the rule whose finding it is, and where."""

    code: str
    message: str
    path: str
    line: int


class Shape(NamedTuple):
    """How a judged source looked to those who evaluated it: the functions that ran, the names looked for in vain."""

    skeleton: Skeleton
    ran: tuple[str, ...]
    missed: tuple[str, ...]


class Surveyed(NamedTuple):
    """What trees say of some nodeids: a state for each tree, in order; so do ``depends`` and ``roots``.

    ``roots`` is where imports start; ``shapes`` is of every source that is judged and was evaluated.
    """

    states: dict[str, tuple[State, ...]]
    reasons: dict[str, tuple[Reason, ...]]
    audits: dict[str, tuple[Reason, ...]]
    added: tuple[str, ...]
    depends: tuple[Depends, ...]
    roots: tuple[tuple[str, ...], ...]
    shapes: tuple[dict[str, Shape], ...]


class Side(NamedTuple):
    """A tree to look at: what names it in the cache (empty: it is not kept), and how pytest is run there."""

    tree: Tree
    key: str
    invocation: Invocation


class Suite:
    """Answers about properties of trees; a context manager that ends the worker, if one was needed.

    Args:
        cache: where the states of trusted trees are kept; None asks again.
        is_protected: whether a path judges the suite.
        seconds: the wall time for everything together.
    """

    def __init__(self, cache: Cache | None, is_protected: Callable[[bytes], bool], seconds: float) -> None:
        self._cache = cache
        self._is_protected = is_protected
        self._seconds = seconds

    def kept(self, side: Side, nodeids: Sequence[str]) -> Surveyed | None:
        """What the cache has of a tree."""
        data = None if self._cache is None or not side.key else self._cache.get(_key(side, nodeids))
        return None if data is None else _surveyed(json.loads(data))

    def keep(self, side: Side, nodeids: Sequence[str], found: Surveyed) -> None:
        """Keep what was found of one trusted tree."""
        if self._cache is not None and side.key:
            self._cache.put(_key(side, nodeids), json.dumps(_said(found)).encode("ascii"))

    def survey(
        self, sides: Sequence[Side], nodeids: Sequence[str], *, added: Collection[str] = (), audit: bool = False
    ) -> Surveyed:
        """Have a worker read the trees.

        Args:
            sides: one tree, or two: then why a property differs between them is said as well.
            nodeids: the properties.
            added: files of the last tree of which every function is named.
            audit: whether to look for what makes a property of the last tree prove less than it seems to.

        Raises:
            DeadlineExceeded, LimitExceeded, GatekeeperError: see :meth:`Survey.ask`.
        """
        task = {
            "task": "properties",
            "invocations": [side.invocation for side in sides],
            "nodeids": list(nodeids),
            "added": sorted(added),
            "audit": audit,
        }
        with Survey([side.tree for side in sides], self._is_protected, seconds=self._seconds) as survey:
            return _surveyed(list(survey.ask(task)))

    def interference(self, before: Tree, after: Tree, changed: Collection[str]) -> list[Reason]:
        """What changed sources do to the properties that they do not belong to.

        Raises:
            DeadlineExceeded, LimitExceeded, GatekeeperError: see :meth:`Survey.ask`.
        """
        with Survey([before, after], self._is_protected, seconds=self._seconds) as survey:
            task = {"task": "interference", "changed": sorted(changed)}
            return [_reason(said) for said in survey.ask(task)]


def first(found: Surveyed) -> Surveyed:
    """What was found of the first tree alone."""
    states = {nodeid: states[:1] for nodeid, states in found.states.items()}
    nothing: dict[str, tuple[Reason, ...]] = dict.fromkeys(found.reasons, ())
    return Surveyed(states, nothing, nothing, (), found.depends[:1], found.roots[:1], found.shapes[:1])


def _surveyed(parts: Iterable[Any]) -> Surveyed:
    """What a worker said, or what was kept of it."""
    found = Surveyed({}, {}, {}, (), (), (), ())
    added: list[str] = []
    depends: list[Depends] = []
    roots: list[tuple[str, ...]] = []
    shapes: list[dict[str, Shape]] = []
    for part in parts:
        if "nodeid" in part:
            found.states[part["nodeid"]] = tuple(_state(one) for one in part["states"])
            found.reasons[part["nodeid"]] = tuple(_reason(one) for one in part["reasons"])
            found.audits[part["nodeid"]] = tuple(_reason(one) for one in part["audit"])
        elif "added" in part:
            added.append(part["added"])
        else:
            depends.append(Depends(_paths(part["looked"]), _paths(part["listed"]), _paths(part["shapes"])))
            roots.append(tuple(part["roots"]))
            shapes.append({path: _shape(*said) for path, said in part["shapes"].items()})
    return found._replace(added=tuple(added), depends=tuple(depends), roots=tuple(roots), shapes=tuple(shapes))


def _said(found: Surveyed) -> list[dict[str, Any]]:
    """The inverse of :func:`_surveyed`, for what is kept of one tree."""
    parts: list[dict[str, Any]] = []
    for nodeid, states in found.states.items():
        said = [dict(zip(State._fields, state, strict=True)) for state in states]
        parts.append({"nodeid": nodeid, "states": said, "reasons": [], "audit": []})
    for one, roots, shapes in zip(found.depends, found.roots, found.shapes, strict=True):
        parts.append(
            {"looked": _names(one.looked), "listed": _names(one.listed), "roots": roots, "shapes": _drawn(shapes)}
        )
    return parts


def _drawn(shapes: dict[str, Shape]) -> dict[str, list[Any]]:
    return {path: [*shape.skeleton, shape.ran, shape.missed] for path, shape in shapes.items()}


def _state(said: dict[str, Any]) -> State:
    return State(
        said["verdict"],
        said["why"],
        said["path"],
        said["line"],
        tuple(said.get("conditions", ())),
        said.get("ids", 0),
        said.get("digest", ""),
        tuple((name, path) for name, path in said.get("modules", ())),
    )


def _shape(digest: str, names: list[str], ran: list[str], missed: list[str]) -> Shape:
    return Shape(Skeleton(digest, tuple(names)), tuple(ran), tuple(missed))


def _reason(said: dict[str, Any]) -> Reason:
    return Reason(said["code"], said["message"], said["path"], said["line"])


def _paths(names: Iterable[str]) -> frozenset[bytes]:
    return frozenset(name.encode("utf-8", "surrogateescape") for name in names)


def _names(paths: Iterable[bytes]) -> list[str]:
    return sorted(path.decode("utf-8", "surrogateescape") for path in paths)


def _key(side: Side, nodeids: Sequence[str]) -> str:
    text = json.dumps([FORM, side.key, side.invocation, list(nodeids)])
    return f"{sha256(text.encode('ascii')).hexdigest()}-properties-{FORM}"
