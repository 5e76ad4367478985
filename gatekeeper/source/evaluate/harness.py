"""pytest's own functions, as far as they matter before a test runs."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.standard import is_always_there
from gatekeeper.source.evaluate.values import Class, External, Fixture, Function, Mark, Param, Partial, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gatekeeper.source.evaluate.frames import Frame
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

    Call = Callable[[Interpreter, str, Sequence[Value], Mapping[str, Value], Frame], Value]

SKIPPED = "Skipped"
"""The name of what ``pytest.skip`` raises."""


def call_mark(mark: Mark, args: Sequence[Value], kwargs: Mapping[str, Value], line: int) -> Value:
    """``mark(...)``: put on a function or class, or given arguments."""
    if len(args) == 1 and not kwargs and isinstance(args[0], Function | Class | Fixture):
        owner = args[0]
        if not isinstance(owner, Fixture):
            owner.marks.append(mark)
        return owner
    return Mark(mark.name, (*mark.args, *args), {**mark.kwargs, **kwargs}, line=line)


def _param(world: Interpreter, name: str, args: Sequence[Value], kwargs: Mapping[str, Value], frame: Frame) -> Value:
    marks = kwargs.get("marks", ())
    given = world.items(marks) if isinstance(marks, list | tuple | set | frozenset) else [marks]
    found = (given,) if isinstance(given, Unknown) else tuple(given)
    return Param(tuple(args), found, kwargs.get("id"))


def _fixture(world: Interpreter, name: str, args: Sequence[Value], kwargs: Mapping[str, Value], frame: Frame) -> Value:
    if args and isinstance(args[0], Function):
        params = kwargs.get("params")
        return Fixture(
            args[0],
            params,
            kwargs.get("ids"),
            kwargs.get("scope", "function"),
            kwargs.get("autouse", False),
            kwargs.get("name"),
            name,
        )
    if args:
        return Unknown("a fixture of something that is no function of the tree")
    return Partial(External(name), (), dict(kwargs))


def _importorskip(
    world: Interpreter,
    name: str,
    args: Sequence[Value],
    kwargs: Mapping[str, Value],
    frame: Frame,
) -> Value:
    wanted = args[0] if args else kwargs.get("modname")
    if not isinstance(wanted, str):
        return Unknown("importorskip of something that is not known")
    top = wanted.partition(".")[0]
    own = world.is_first_party(wanted, frame.module)
    if top in world.absent and not own:
        raise Raised(SKIPPED)
    if not (frame.plain or own or is_always_there(top) or world.is_decided(top)):
        frame.module.conditions = (*frame.module.conditions, f"importorskip {wanted}")
    return world.imported(wanted, frame.module)


def _skip(world: Interpreter, name: str, args: Sequence[Value], kwargs: Mapping[str, Value], frame: Frame) -> Value:
    raise Raised(SKIPPED)


HARNESS: dict[str, Call] = {
    "pytest.param": _param,
    "pytest.fixture": _fixture,
    "pytest.yield_fixture": _fixture,
    "pytest_asyncio.fixture": _fixture,
    "pytest.importorskip": _importorskip,
    "pytest.skip": _skip,
    "pytest.xfail": _skip,
    "pytest.exit": _skip,
    "pytest.fail": _skip,
}
