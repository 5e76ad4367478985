"""An evaluator for values that are made by hand: real containers, functions given as Python's own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gatekeeper.source.evaluate.values import Class, External, Function, Module, Unknown
from gatekeeper.source.files import MemoryFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gatekeeper.source.evaluate.values import Binding, Value
    from gatekeeper.source.files import Files


class Given:
    """Answers for containers and for the functions in ``called``, by their name."""

    def __init__(self, called: Mapping[str, Callable[..., Value]] | None = None) -> None:
        self._called = dict(called or {})
        self.files: Files = MemoryFiles({})

    def find(self, name: str, importer: Module | None) -> str | None:  # noqa: ARG002 (a protocol)
        return None

    def attribute(self, value: Value, name: str) -> Value:
        return Unknown(f"{name} of {value!r}")

    def call(self, value: Value, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
        if isinstance(value, Function):
            return self._called[value.name](*args, **kwargs)
        return Unknown("a call")

    def items(self, value: Value) -> list[Value] | Unknown:
        return list(value) if isinstance(value, list | tuple | set | dict | str) else Unknown("items")

    def truth(self, value: Value) -> bool | None:
        return bool(value) if isinstance(value, bool | int | str | list | tuple | None) else None

    def mro(self, cls: Class) -> tuple[Value, ...]:
        found: dict[int, Value] = {id(cls): cls}
        for base in cls.bases:
            for one in self.mro(base) if isinstance(base, Class) else (base,):
                found[id(one)] = one
        return (*found.values(), External("builtins.object"))

    def lookup(self, cls: Class, name: str) -> Binding | None:
        return next(
            (base.namespace[name] for base in self.mro(cls) if isinstance(base, Class) and name in base.namespace), None
        )


def module_of(text: str) -> Module:
    """A module of which nothing but the syntax tree is known."""
    return Module("test_m", "test_m.py", ast.parse(text))


def function_of(text: str) -> Function:
    """The one function of a source."""
    module = module_of(text)
    node = module.tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    return Function(node, module, node.name)
