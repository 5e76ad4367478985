"""Why a module does not give the function that somebody names."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.items import Trouble
from gatekeeper.source.evaluate.values import Class, External, Function, Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.scope import Scope
    from gatekeeper.source.evaluate.values import Binding


def absent(scope: Scope, names: Sequence[str], errors: Sequence[Trouble]) -> Trouble:
    """The reason why ``names`` (of classes, then of a function) lead to nothing in the module of ``scope``."""
    path = scope.module.path
    holder: Class | None = None
    for index, name in enumerate(names):
        found = scope.interpreter.lookup(holder, name) if holder else scope.module.namespace.get(name)
        owner = f"class {holder.qualname}" if holder else "the module"
        if found is None:
            return _missing(scope, name, owner, errors)
        reason = _function(scope, name, found) if index == len(names) - 1 else _holder(scope, name, found)
        if reason is not None:
            return Trouble(path, reason, found.line)
        holder = found.value if isinstance(found.value, Class) else holder
    return errors[0] if errors else Trouble(path, "pytest passes it by, for a reason that is not known here")


def _missing(scope: Scope, name: str, owner: str, errors: Sequence[Trouble]) -> Trouble:
    if errors:
        return errors[0]
    wildcards = scope.module.wildcards
    if wildcards:
        return Trouble(scope.module.path, f"{owner} does not define {name}; it may come from {wildcards[0]}")
    return Trouble(scope.module.path, f"{owner} does not define {name}")


def _holder(scope: Scope, name: str, found: Binding) -> str | None:
    """Why pytest does not look into what should be a class."""
    value = found.value
    if not isinstance(value, Class):
        return f"{name} is {_described(found)}, no class"
    for made_by in ("__init__", "__new__"):
        if scope.interpreter.lookup(value, made_by) is not None:
            return f"class {name} has {made_by}: pytest does not collect it"
    test = scope.interpreter.lookup(value, "__test__")
    if test is not None and scope.interpreter.truth(test.value) is False:
        return f"class {name} has a false __test__"
    return None


def _function(scope: Scope, name: str, found: Binding) -> str | None:
    """Why pytest makes no test of what should be a function."""
    value = found.value
    if isinstance(value, Function):
        if scope.interpreter.truth(value.attributes.get("__test__", True)) is False:
            return f"{name} has a false __test__"
        return f"{name} is a property" if value.flavour == "property" else None
    if isinstance(value, Class):
        return f"{name} is a class"
    return f"the last binding of {name} is {_described(found)}, no function"


def _described(found: Binding) -> str:
    value = found.value
    if isinstance(value, Unknown):
        return f"not known ({value.reason})"
    if isinstance(value, External):
        return value.name
    return f"a value of type {type(value).__name__}"
