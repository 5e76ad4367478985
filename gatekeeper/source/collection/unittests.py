"""The tests of a TestCase: by the prefix ``test`` over ``dir()``, sorted; ``runTest`` if there are none."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.dotted import named_by
from gatekeeper.source.evaluate.values import (
    Class,
    External,
    Function,
    Instance,
    Method,
    Module,
    Partial,
    Thing,
    Unknown,
)

if TYPE_CHECKING:
    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.evaluate.values import Binding, Value


_MACHINE = "hypothesis.stateful.RuleBasedStateMachine"


class Test(NamedTuple):
    """One test of a TestCase; ``doubt`` says why it may not be one."""

    name: str
    binding: Binding
    doubt: str = ""


def tests_of(cls: Class, evaluator: Evaluator) -> list[Test]:
    """The tests in pytest's order."""
    bound: dict[str, Binding] = {}
    for base in reversed(evaluator.mro(cls)):
        if isinstance(base, Class):
            bound.update(base.namespace)
    found = [
        test for name in sorted(bound) if name.startswith("test") and (test := _test(name, bound[name], evaluator))
    ]
    if not found and "runTest" in bound and bound["runTest"].value is not None:
        return [Test("runTest", bound["runTest"])]
    return found


def _test(name: str, binding: Binding, evaluator: Evaluator) -> Test | None:
    value = binding.value
    if isinstance(value, Unknown):
        return Test(name, binding, value.reason)
    if isinstance(value, External):
        return Test(name, binding, f"{value.name} is not in the tree")
    if not _is_callable(value, evaluator):
        return None
    test = value.attributes.get("__test__", True) if isinstance(value, Function) else True
    truth = evaluator.truth(test)
    if truth is None:
        return Test(name, binding, "its __test__ is not known")
    return Test(name, binding) if truth else None


def _is_callable(value: Value, evaluator: Evaluator) -> bool:
    if isinstance(value, Function):
        return value.flavour != "property"
    if isinstance(value, Instance):
        return evaluator.lookup(value.kind, "__call__") is not None
    return isinstance(value, Class | Method | Partial)


def machine_of(name: str, holder: Module | Class, value: Value, evaluator: Evaluator) -> Class | None:
    """The hypothesis state machine whose ``TestCase`` a module binds to ``name``: it has the one test ``runTest``."""
    if not isinstance(holder, Module) or not isinstance(value, Unknown | External | Thing):
        return None
    for statement in reversed(holder.tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Attribute(value=owner, attr="TestCase")) if (
                bound == name
            ):
                machine = named_by(owner, holder)
                if isinstance(machine, Class) and any(
                    isinstance(base, External) and base.name == _MACHINE for base in evaluator.mro(machine)
                ):
                    return machine
                return None
    return None
