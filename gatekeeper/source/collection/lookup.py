"""One nodeid of a session: what stands behind it, or why pytest does not collect it."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.absence import absent
from gatekeeper.source.collection.batches import gathered, selected, text
from gatekeeper.source.collection.config.paths import beside
from gatekeeper.source.collection.items import EXACT, Trouble
from gatekeeper.source.collection.modulenames import module_name
from gatekeeper.source.collection.modules import examined
from gatekeeper.source.collection.target import Target
from gatekeeper.source.collection.targets import aimed
from gatekeeper.source.collection.walk import DOCTESTS, MODULE, TEXT

if TYPE_CHECKING:
    from gatekeeper.source.collection.engine import Engine, Examined
    from gatekeeper.source.collection.items import Found
    from gatekeeper.source.collection.scope import Scope
    from gatekeeper.source.collection.walk import Spot


class Wanted(NamedTuple):
    """A nodeid taken apart: what it begins with, its names, its parameters with their brackets."""

    path: str
    names: tuple[str, ...]
    parameters: str

    @classmethod
    def of(cls, whole: str) -> Wanted:
        """Takes a nodeid apart: a bracket counts after the path only."""
        path, _, rest = whole.partition("::")
        names, bracket, inside = rest.partition("[")
        return cls(path, tuple(names.split("::")) if names else (), bracket + inside)

    @property
    def node(self) -> str:
        """The nodeid without parameters."""
        return "::".join((self.path, *self.names))

    def among(self, found: tuple[Found, ...]) -> Found | None:
        """The function that is meant."""
        return next((item for item in found if item.node == self.node), None)


def target(engine: Engine, node: str) -> Target | None:
    """What stands behind a nodeid, None where nothing of that name is collected."""
    place = _place(engine, node)
    if isinstance(place, Trouble):
        return None
    spot, scope, wanted = place
    _, items, given = _examined(engine, spot, scope)
    found = wanted.among(selected(engine, spot, scope, given).found)
    if found is None or (wanted.parameters and found.verdict == EXACT and wanted.parameters not in found.ids):
        return None
    item = next((item for item in items if item.found.node == wanted.node), None)
    if item is not None:
        whole = aimed(item, scope)
    else:
        whole = Target(found, None, (), scope.module, scope.conftests, scope.plugins, (), (), {})
    return whole._replace(found=found, config=engine.config.texts)


def explain(engine: Engine, node: str) -> Trouble:
    """Why a nodeid is not collected; an empty reason where it is."""
    place = _place(engine, node)
    if isinstance(place, Trouble):
        return place
    spot, scope, wanted = place
    given = _examined(engine, spot, scope)[2]
    before = wanted.among(given.found)
    if before is None:
        return absent(scope, wanted.names, given.errors)
    after = wanted.among(selected(engine, spot, scope, given).found)
    if wanted.parameters and before.verdict == EXACT and wanted.parameters not in before.ids:
        return Trouble(spot.path, f"it has no parameters {wanted.parameters}", before.line)
    if after is None or (wanted.parameters and after.verdict == EXACT and wanted.parameters not in after.ids):
        reason = "deselected by " + ", ".join(engine.selection.texts or ("the arguments of the invocation",))
        return Trouble(spot.path, reason, before.line)
    return Trouble(spot.path, "", after.line)


def _examined(engine: Engine, spot: Spot, scope: Scope) -> Examined:
    """The functions of a module, looked at once for all that are asked for."""
    key = (spot.path, spot.kind)
    if key not in engine.examined or engine.examined[key][0].module is not scope.module:
        if spot.kind == MODULE:
            engine.examined[key] = (scope, *examined(scope))
        else:
            engine.examined[key] = (scope, [], gathered(engine, spot, scope))
    return engine.examined[key]


def _place(engine: Engine, node: str) -> tuple[Spot, Scope, Wanted] | Trouble:
    """The collector and the module of a nodeid, read alone."""
    wanted = Wanted.of(node)
    path = _path(engine, wanted.path)
    spots = engine.walk.reach(path)
    if isinstance(spots, str):
        return Trouble(path, spots)
    kind = _kind(engine, path, wanted)
    spot = next((spot for spot in spots if spot.kind == kind), spots[-1])
    if spot.kind == TEXT:
        return Trouble(path, "" if text(engine, spot, wanted.path).found else "the file holds no example")
    claimed = engine.claimed(path)
    if isinstance(claimed, str):
        return Trouble(path, claimed)
    scope = engine.scope(spot, wanted.path, *claimed)
    if scope.module.error is not None:
        return Trouble(path, scope.module.error)
    return spot, scope, wanted


def _path(engine: Engine, begins: str) -> str:
    """The path of the tree for which nodeids begin so."""
    root = engine.config.rootdir
    inside = f"{root}/{begins}" if root else begins
    if engine.tree.is_file(inside):
        return inside
    for given in engine.given:
        outside = f"{given}/{begins}" if given and begins else given or begins
        if beside(outside, root) is None and engine.tree.is_file(outside):
            return outside
    return inside


def _kind(engine: Engine, path: str, wanted: Wanted) -> str:
    """Whether a name is that of a doctest, which begins with the module's, or of a test."""
    config = engine.config
    name = module_name(engine.tree, path, config.import_mode, config.rootdir, config.version)
    first = wanted.names[0] if wanted.names else ""
    return DOCTESTS if first == name or first.startswith(f"{name}.") else MODULE
