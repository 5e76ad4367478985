"""The tests of one module, in the order in which pytest makes them.

Names come in the order of their first binding, each with its last value; of a class those of its bases first. pytest
then moves items so that a parameter of a module or session is set up once; the order here is the one before that.
"""

from __future__ import annotations

import types

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.classes import (
    has_constructor,
    is_abstract,
    is_test_case,
    may_be_test_case,
    unknown_part,
)
from gatekeeper.source.collection.expansion import Expansion, expand, marks_of
from gatekeeper.source.collection.functions import as_function, chosen, matches, refuses, yields
from gatekeeper.source.collection.items import EXACT, NOT_STATIC, UNKNOWN, Found, Trouble
from gatekeeper.source.collection.memory import Memory
from gatekeeper.source.collection.needed import TESTS, matters
from gatekeeper.source.collection.outcome import Broken, Elsewhere, Undecided
from gatekeeper.source.collection.places import Place, inside, outermost
from gatekeeper.source.collection.scope import Gathered
from gatekeeper.source.collection.unittests import machine_of, tests_of
from gatekeeper.source.evaluate.values import Class, Function, Mark, Method, Module, Partial, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.source.collection.functions import Callable
    from gatekeeper.source.collection.scope import Scope
    from gatekeeper.source.evaluate.values import Binding, Value

MOST = 10_000
"""More classes than this in one module are not looked into: they can hold one another many times over."""

_IGNORED = frozenset({*dir(types.ModuleType("")), *dir(type("", (), {})), "__builtins__", "__file__", "__cached__"})


class Item(NamedTuple):
    """One function of one place: what a nodeid without parameters stands for."""

    found: Found
    value: Value
    place: Place
    marks: tuple[tuple[Mark, ...], ...] | None = None


def collect_module(scope: Scope) -> Gathered:
    """What pytest would collect from the module of ``scope``."""
    return examined(scope)[1]


def examined(scope: Scope) -> tuple[list[Item], Gathered]:
    """What :func:`collect_module` gives, and the items that it is made of, in the same order."""
    walk = Walk(scope)
    items = walk.items()
    return items, Gathered(
        tuple(item.found for item in items),
        tuple(walk.errors),
        tuple(item.marks for item in items),
        tuple(walk.opaque),
    )


class Walk:
    """Goes through one module; ``items`` gives its functions, ``errors`` and ``opaque`` what else there is to say."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._evaluator = scope.interpreter
        self._memory = scope.memory or Memory(scope.interpreter, scope.settings)
        self._count = 0
        self.errors: list[Trouble] = []
        self.opaque: list[Trouble] = []

    def items(self) -> list[Item]:
        """All functions of the module."""
        module = self._scope.module
        refusal = module.namespace.get("__test__")
        if refusal is not None and self._evaluator.truth(refusal.value) is False:
            return []
        for name in module.wildcards:
            self.opaque.append(Trouble(module.path, f"everything of {name}, which is not in the tree, is imported"))
        return self._collector(module, self._scope.prefix, None, module.conditions, "")

    def _collector(
        self, holder: Module | Class, prefix: str, above: Place | None, conditions: tuple[str, ...], doubt: str
    ) -> list[Item]:
        """What one module or class gives; an error takes all of it away but not what is beside it."""
        try:
            if isinstance(holder, Class) and above is not None:
                place = inside(holder, above)
                if is_test_case(holder, self._evaluator):
                    return self._test_case(prefix, holder, conditions, place, doubt)
            else:
                place = outermost(self._scope, self._memory)
            return self._members(holder, prefix, place, conditions, doubt)
        except Broken as problem:
            self.errors.append(Trouble(self._scope.module.path, f"{prefix}: {problem}", problem.line))
            return []

    def _members(
        self, holder: Module | Class, prefix: str, place: Place, conditions: tuple[str, ...], doubt: str
    ) -> list[Item]:
        made: list[Item | tuple[str, Class, tuple[str, ...]]] = []
        for name, binding in _ordered(holder, self._scope):
            under = (*conditions, *(one for one in binding.conditions if one not in conditions))
            node = f"{prefix}::{name}"
            if isinstance(binding.value, Class):
                made.append((node, binding.value, under))
            elif machine := machine_of(name, holder, binding.value, self._evaluator):
                found = self._found(f"{node}::runTest", binding, under, EXACT, "")
                made.append(Item(found, binding.value, inside(machine, place), None))
            elif item := self._function(name, binding, node, place, under, doubt):
                made.append(item)
            elif isinstance(binding.value, Unknown) and matches(name, self._scope.settings.python_classes):
                why = f"{node} may be a class: {binding.value.reason}"
                self.opaque.append(Trouble(self._scope.module.path, why, binding.line))
        items: list[Item] = []
        for one in made:
            items += [one] if isinstance(one, Item) else self._class(*one, place, doubt)
        return items

    def _class(self, node: str, cls: Class, conditions: tuple[str, ...], place: Place, doubt: str) -> list[Item]:
        self._count += 1
        if self._count > MOST:
            if self._count == MOST + 1:
                self.errors.append(Trouble(self._scope.module.path, f"{node}: more than {MOST:,} classes"))
            return []
        evaluator = self._evaluator
        name = node.rpartition("::")[2]
        case = is_test_case(cls, evaluator)
        try:
            doubt = doubt or unknown_part(cls, evaluator)
            wanted = case or chosen(cls, name, self._scope.settings.python_classes, evaluator)
            if not wanted and not (doubt and may_be_test_case(cls, evaluator)):
                return []
            if refuses(cls, evaluator):
                return []
            if is_abstract(cls, evaluator) and not self._instantiated_later(case=case):
                return self._abstract(cls, node)
            if not case and has_constructor(cls, evaluator):
                return []
        except Elsewhere as problem:
            doubt = doubt or str(problem)
        if cls in place.classes:
            raise Broken(f"{cls.name} holds itself")
        return self._collector(cls, node, place, conditions, doubt)

    def _instantiated_later(self, *, case: bool) -> bool:
        """Up to 8.1 an abstract TestCase is collected, and fails once it runs."""
        return case and self._scope.settings.pytest < (8, 2)

    def _abstract(self, cls: Class, node: str) -> list[Item]:
        """Nothing: up to 8.2 because an instance is made, which fails, from then on because it is looked at."""
        if self._scope.settings.pytest < (8, 3):
            self.errors.append(Trouble(self._scope.module.path, f"{node}: an abstract class", cls.node.lineno))
        return []

    def _test_case(self, node: str, cls: Class, conditions: tuple[str, ...], place: Place, doubt: str) -> list[Item]:
        items = []
        for test in tests_of(cls, self._evaluator):
            under = (*conditions, *(one for one in test.binding.conditions if one not in conditions))
            reason = doubt or test.doubt
            found = self._found(f"{node}::{test.name}", test.binding, under, NOT_STATIC if reason else EXACT, reason)
            items.append(Item(found, test.binding.value, place, self._marks_of(test.binding.value, place)))
        return items

    def _marks_of(self, value: Value, place: Place) -> tuple[tuple[Mark, ...], ...] | None:
        """The marks of a test that has no parameters, where they are known."""
        if not isinstance(value, Function | Method | Partial):
            return None
        try:
            return (marks_of(value, place),)
        except Undecided:
            return None

    def _function(
        self, name: str, binding: Binding, node: str, place: Place, conditions: tuple[str, ...], doubt: str
    ) -> Item | None:
        if not chosen(binding.value, name, self._scope.settings.python_functions, self._evaluator):
            return None
        made, verdict = Expansion((), None), EXACT
        try:
            value = as_function(binding.value, name)
            if value is None or refuses(binding.value, self._evaluator):
                return None
            doubt = doubt or place.hooks.rewrites
            if doubt:
                raise Elsewhere(doubt)
            made = self._ids(value, name, place)
        except Elsewhere as problem:
            verdict, doubt = NOT_STATIC, str(problem)
        except Undecided as problem:
            # Marks of its own may still decide whether options leave any of it.
            verdict, doubt, made = UNKNOWN, str(problem), Expansion((), self._marks_of(binding.value, place))
        found = self._found(node, binding, conditions, verdict, doubt, made.ids)
        return Item(found, binding.value, place, made.rows)

    def _ids(self, value: Callable, name: str, place: Place) -> Expansion:
        if isinstance(value, Function) and yields(value):
            if self._scope.settings.pytest >= (8, 4):
                raise Broken(f"'yield' is allowed in fixtures, not in tests ({name})", value.node.lineno)
            return Expansion(("",), self._marks_of(value, place))
        return expand(value, name, place)

    def _found(
        self,
        node: str,
        binding: Binding,
        conditions: tuple[str, ...],
        verdict: str,
        reason: str,
        ids: tuple[str, ...] = ("",),
    ) -> Found:
        inner = binding.value
        while isinstance(inner, Method | Partial):
            inner = inner.function
        path, line = self._scope.module.path, binding.line
        if isinstance(inner, Function):
            path, line = inner.module.path, inner.node.lineno
        return Found(node, verdict, ids if verdict == EXACT else (), reason, conditions, path, line)


def _ordered(holder: Module | Class, scope: Scope) -> Iterable[tuple[str, Binding]]:
    """The names of a module or class in pytest's order, without those that it never looks at."""
    if isinstance(holder, Module):
        wanted = scope.settings.collect_imported_tests or scope.settings.pytest < (8, 4)
        settings = scope.settings
        patterns = (*settings.python_classes, *settings.python_functions)
        for name, binding in list(holder.namespace.items()):
            if name in _IGNORED:
                continue
            if not matches(name, patterns) and not matters(binding, holder, TESTS, scope.interpreter):
                continue
            foreign = isinstance(binding.value, Function | Class) and binding.value.module is not holder
            if wanted or not foreign:
                yield name, binding
        return
    seen: set[str] = set()
    groups: list[list[tuple[str, Binding]]] = []
    for base in scope.interpreter.mro(holder):
        if isinstance(base, Class):
            groups.append(
                [(name, one) for name, one in base.namespace.items() if name not in seen and name not in _IGNORED]
            )
            seen |= base.namespace.keys()
    for group in reversed(groups):
        yield from group
