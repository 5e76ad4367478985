"""Where a test is: the classes and module around it, the fixtures, hooks and marks that they bring."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.fixtures import Chain, held_by
from gatekeeper.source.collection.hooks import Hooks, hooks_in
from gatekeeper.source.collection.marks import own_marks
from gatekeeper.source.collection.outcome import Undecided
from gatekeeper.source.evaluate.values import Class

if TYPE_CHECKING:
    from gatekeeper.source.collection.memory import Memory
    from gatekeeper.source.collection.scope import Scope
    from gatekeeper.source.evaluate.values import Binding, Mark, Module


class Place(NamedTuple):
    """``classes`` are the outermost first, ``outer_marks`` those of all of them and the module, nearest first.

    ``outer_marks`` is the reason where they cannot be known.
    """

    scope: Scope
    memory: Memory
    classes: tuple[Class, ...]
    chain: Chain
    hooks: Hooks
    outer_marks: tuple[Mark, ...] | str


def outermost(scope: Scope, memory: Memory) -> Place:
    """The place of what is in the module itself. Raises Broken where its ``pytestmark`` is refused."""
    module, surroundings = scope.module, (*scope.plugins, *scope.conftests)
    hooks = Hooks()
    for one in (*surroundings, module):
        hooks = hooks.joined(hooks_in(one.namespace, one.path))
    chain = Chain(memory.chain(surroundings), held_by(module, scope.interpreter))
    return Place(scope, memory, (), chain, hooks, _marks(module, (), scope))


def inside(cls: Class, place: Place) -> Place:
    """The place of what is in ``cls``, a class of ``place``. Raises Broken where its ``pytestmark`` is refused."""
    evaluator = place.scope.interpreter
    names: dict[str, Binding] = {}
    for base in reversed(evaluator.mro(cls)):
        if isinstance(base, Class):
            names.update(base.namespace)
    return place._replace(
        classes=(*place.classes, cls),
        chain=Chain(place.chain, held_by(cls, evaluator)),
        hooks=place.hooks.joined(hooks_in(names, cls.name)),
        outer_marks=_marks(cls, place.outer_marks, place.scope),
    )


def _marks(holder: Module | Class, outer: tuple[Mark, ...] | str, scope: Scope) -> tuple[Mark, ...] | str:
    if isinstance(outer, str):
        return outer
    try:
        return (*own_marks(holder, scope.interpreter), *outer)
    except Undecided as problem:
        return str(problem)
