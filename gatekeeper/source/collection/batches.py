"""What each file of a session gives, in pytest's order."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.claims import Claims
from gatekeeper.source.collection.config.paths import beside
from gatekeeper.source.collection.doctests import Malformed, doctests, examples
from gatekeeper.source.collection.items import EXACT, NOT_STATIC, Found, Trouble
from gatekeeper.source.collection.modulenames import in_checkout, module_name
from gatekeeper.source.collection.modules import collect_module
from gatekeeper.source.collection.scope import Gathered
from gatekeeper.source.collection.select import Labels
from gatekeeper.source.collection.walk import DIRECTORY_NODES, DOCTESTS, MODULE, TEXT, nodeid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.collection.engine import Engine
    from gatekeeper.source.collection.scope import Rows, Scope
    from gatekeeper.source.collection.walk import Spot


class Batch(NamedTuple):
    """What one collector of one file gives, after selection."""

    path: str
    found: tuple[Found, ...] = ()
    errors: tuple[Trouble, ...] = ()
    opaque: tuple[Trouble, ...] = ()
    deselected: int = 0


def batches(engine: Engine) -> Iterator[Batch]:
    """Every file; what is wrong with directories comes last."""
    missing = _missing(engine)
    if missing is not None:
        yield Batch(missing.path, errors=(missing,))
        return
    walk, claims = engine.walk, Claims(engine.tree, engine.config)
    spots = walk.spots()
    if engine.config.version < DIRECTORY_NODES:
        # A conftest.py that cannot be imported ended the whole run, wherever it was.
        every = list(spots)
        spots = iter(() if walk.errors else every)
    for spot in spots:
        yield batch(engine, spot, claims.claim(spot.path))
    yield Batch("", errors=tuple(walk.errors), opaque=tuple(walk.opaque))


def _missing(engine: Engine) -> Trouble | None:
    """The node that an argument names and that is not there: pytest collects nothing at all then."""
    for argument in engine.arguments:
        if not argument.names:
            continue
        spots = engine.walk.reach(argument.path)
        if isinstance(spots, str):
            return Trouble(argument.path, spots)
        claimed = engine.claimed(argument.path)
        given = [batch(engine, spot, claimed, select=False) for spot in spots if spot.argument == argument]
        if given and not any(one.found for one in given):
            errors = [error for one in given for error in one.errors]
            return errors[0] if errors else Trouble(argument.path, f"not found: {'::'.join(argument.names)}")
    return None


def batch(engine: Engine, spot: Spot, claimed: tuple[str, str] | str, *, select: bool = True) -> Batch:
    """What one collector gives: ``claimed`` is what its name stands for."""
    prefix = nodeid(engine.config, spot.path, engine.given)
    if spot.kind == TEXT:
        return text(engine, spot, prefix)
    if isinstance(claimed, str):
        return Batch(spot.path, errors=(Trouble(spot.path, claimed),))
    scope = engine.scope(spot, prefix, *claimed)
    if scope.module.error is not None:
        return Batch(spot.path, errors=(Trouble(spot.path, scope.module.error),))
    return selected(engine, spot, scope, gathered(engine, spot, scope), select=select)


def gathered(engine: Engine, spot: Spot, scope: Scope) -> Gathered:
    """What a module gives, before selection."""
    if spot.kind != DOCTESTS:
        return collect_module(scope)
    module, config = scope.module, engine.config
    name = module_name(engine.tree, module.path, config.import_mode, config.rootdir, config.version)
    try:
        found = doctests(module, name)
    except Malformed as error:
        return Gathered(errors=(Trouble(module.path, f"doctest: {error}"),))
    given = tuple(_doctest(scope, item.name, item.line, item.conditions) for item in found)
    if in_checkout(engine.tree, spot.path):
        reason = "the module is called by the directory of the checkout, whose name is not in the tree"
        given = tuple(item._replace(verdict=NOT_STATIC, ids=(), reason=reason) for item in given)
    return Gathered(given)


def _doctest(scope: Scope, name: str, line: int, conditions: tuple[str, ...]) -> Found:
    module = scope.module
    conditions = (*module.conditions, *conditions)
    return Found(f"{scope.prefix}::{name}", EXACT, conditions=conditions, path=module.path, line=line)


def text(engine: Engine, spot: Spot, prefix: str) -> Batch:
    """A text file: one doctest of the file's name, where it holds an example."""
    encoding = str(engine.config.setting("doctest_encoding"))
    try:
        content = (engine.tree.read(spot.path) or b"").decode(encoding)
        present = examples(content.replace("\r\n", "\n").replace("\r", "\n"))
    except (LookupError, UnicodeDecodeError, Malformed) as error:
        return Batch(spot.path, errors=(Trouble(spot.path, f"doctest: {error}"),))
    if not present:
        return Batch(spot.path)
    name = spot.path.rpartition("/")[2]
    item = Found(f"{prefix}::{name}", EXACT, conditions=spot.conditions, path=spot.path, line=1)
    if engine.selection.active:
        left = engine.selection.leave(item, [Labels((*above(engine, spot.path), name))])
        return Batch(spot.path, (left.found,) if left.found is not None else (), deselected=left.deselected)
    return Batch(spot.path, (item,))


def selected(engine: Engine, spot: Spot, scope: Scope, given: Gathered, *, select: bool = True) -> Batch:
    """What arguments and options leave of a file, in the reach of hooks and plugins."""
    found, deselected = [], 0
    reached = engine.reach(spot, scope)
    for index, item in enumerate(given.found):
        rows = given.marks[index] if index < len(given.marks) else None
        kept, rows = _meant(spot, scope, item, rows)
        if kept is not None and select and engine.selection.active:
            left = engine.selection.leave(kept, _labels(engine, spot, scope, kept, rows))
            kept = left.found
            deselected += left.deselected
        if kept is not None:
            found.append(reached.applied(kept))
    opaque = given.opaque
    if reached.reason and reached.reason not in engine.told:
        engine.told.add(reached.reason)
        opaque = (*opaque, Trouble(spot.path, reached.reason))
    return Batch(spot.path, tuple(found), given.errors, opaque, deselected)


def _meant(spot: Spot, scope: Scope, item: Found, rows: Rows | None) -> tuple[Found | None, Rows | None]:
    """``item`` and its marks as far as the argument means them."""
    argument = spot.argument
    if not argument.names:
        return item, rows
    names = tuple(item.node[len(scope.prefix) + 2 :].split("::"))
    if names[: len(argument.names)] != argument.names:
        return None, rows
    if argument.parameters is None or item.verdict != EXACT:
        return item, rows
    places = [index for index, one in enumerate(item.ids) if argument.matches(names, one)]
    if rows is not None and len(rows) == len(item.ids):
        rows = tuple(rows[index] for index in places)
    return (item._replace(ids=tuple(item.ids[index] for index in places)) if places else None), rows


def _labels(engine: Engine, spot: Spot, scope: Scope, item: Found, rows: Rows | None) -> list[Labels]:
    """What each of the item's ids goes by."""
    classes = item.node[len(scope.prefix) + 2 :].split("::")[:-1]
    names = (*above(engine, spot.path), *classes)
    if rows is None:
        return [Labels(names, unknown=spot.kind == MODULE)]
    return [Labels(names, marks) for marks in rows] or [Labels(names)]


def above(engine: Engine, path: str) -> tuple[str, ...]:
    """The names of the nodes of a file and of the directories above it, without the topmost."""
    config = engine.config
    directory, _, name = path.rpartition("/")
    if config.version < DIRECTORY_NODES:
        package = engine.tree.is_file(f"{directory}/__init__.py")
        return (directory.rpartition("/")[2], name) if package else (beside(path, config.rootdir) or name,)
    inside = beside(directory, config.confcutdir)
    return (*(part for part in (directory if inside is None else inside).split("/") if part), name)
