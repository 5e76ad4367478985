"""The tests of a TestCase: by the prefix ``test`` over ``dir()``, sorted; ``runTest`` if there are none."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.evaluate.values import Class, External, Function, Instance, Method, Partial, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.evaluate.values import Binding, Value


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
