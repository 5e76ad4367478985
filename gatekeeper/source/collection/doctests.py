"""Doctests: which objects of a module, or which text file, hold examples."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.evaluate.frames import Lazy
from gatekeeper.source.evaluate.values import Class, Function, Module, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Binding, Value

PROMPT = ">>>"
KEPT = "a decorator keeps the docstring"
"""Most do (functools.wraps), and nobody knows of those that cannot be read."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Doctest(NamedTuple):
    """One object with examples: its dotted name, the line of its definition, on what its presence depends."""

    name: str
    line: int = 0
    conditions: tuple[str, ...] = ()


class Malformed(Exception):
    """Examples that doctest refuses: pytest reports a collection error."""


def examples(text: str) -> bool:
    """Whether ``text`` holds an example; raises :class:`Malformed`."""
    if PROMPT not in text:
        return False
    from doctest import DocTestParser

    try:
        return bool(DocTestParser().get_examples(text))
    except ValueError as error:
        raise Malformed(str(error)) from error


def doctests(module: Module, name: str) -> list[Doctest]:
    """The doctests of a module that is called ``name``, by name as pytest orders them; raises :class:`Malformed`.

    An object that two names hold counts once, under the first; what is imported does not count.
    """
    finder = _Finder(module)
    finder.take(ast.get_docstring(module.tree, clean=False), module.namespace.get("__doc__"), name, 0, ())
    finder.members(module, name)
    finder.given(name)
    return sorted(finder.found, key=lambda found: found.name)


def _definitions(holder: Module | Class) -> dict[str, Definition]:
    """The decorated definitions in a body, also under conditions; the last one of a name counts."""
    found: dict[str, Definition] = {}
    waiting: list[ast.stmt] = list(reversed(holder.tree.body if isinstance(holder, Module) else holder.node.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Definition):
            if node.decorator_list:
                found[node.name] = node
        elif isinstance(node, ast.If | ast.Try | ast.With):
            waiting.extend(inner for inner in reversed(list(ast.iter_child_nodes(node))) if isinstance(inner, ast.stmt))
    return found


class _Finder:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._seen: set[int] = set()
        self.found: list[Doctest] = []

    def take(
        self, docstring: str | None, binding: Binding | None, name: str, line: int, conditions: tuple[str, ...]
    ) -> None:
        """Adds the doctest of one object; ``binding`` is a ``__doc__`` that is assigned to."""
        if binding is not None and isinstance(binding.value, str | None):
            docstring = binding.value
        elif binding is not None:
            docstring, conditions = docstring or PROMPT, (*conditions, "__doc__ is computed")
        if docstring and (docstring == PROMPT or examples(docstring)):
            self.found.append(Doctest(name, line, conditions))

    def members(
        self, holder: Module | Class, prefix: str, conditions: tuple[str, ...] = (), *, inside: bool = False
    ) -> None:
        """Adds what the names of a module or class hold."""
        written: dict[str, Definition] | None = None
        for name, binding in holder.namespace.items():
            if isinstance(binding, Lazy):  # an import: what it gives is not of this module, and need not be read
                continue
            depends, whole = (*conditions, *binding.conditions), f"{prefix}.{name}"
            if not self._object(binding.value, whole, depends, inside=inside):
                if written is None:
                    written = _definitions(holder)
                if name in written:
                    self._decorated(written[name], whole, depends)

    def _object(self, value: Value, name: str, conditions: tuple[str, ...], *, inside: bool = False) -> bool:
        """Adds one object; False where it is not known what it is."""
        while isinstance(value, Function) and isinstance(value.attributes.get("__wrapped__"), Function):
            value = value.attributes["__wrapped__"]
        if not isinstance(value, Function | Class):
            return not isinstance(value, Unknown)
        if value.module is not self._module:
            return value.module.path == self._module.path
        if id(value.node) in self._seen or (isinstance(value, Function) and value.flavour == "property" and not inside):
            return True
        self._seen.add(id(value.node))
        if value.wrappers:
            conditions = (*conditions, KEPT)
        if isinstance(value, Function):
            given = value.attributes.get("__doc__")
            docstring = None if isinstance(value.node, ast.Lambda) else ast.get_docstring(value.node, clean=False)
            self.take(given if isinstance(given, str) else docstring, None, name, value.node.lineno, conditions)
            return True
        docstring = ast.get_docstring(value.node, clean=False)
        self.take(docstring, value.namespace.get("__doc__"), name, value.node.lineno, conditions)
        self.members(value, name, conditions, inside=True)
        return True

    def _decorated(self, node: Definition, name: str, conditions: tuple[str, ...]) -> None:
        """Adds what a decorator that is not followed makes of a definition: most keep its docstring."""
        if id(node) not in self._seen:
            self._seen.add(id(node))
            self.take(ast.get_docstring(node, clean=False), None, name, node.lineno, (*conditions, KEPT))

    def given(self, name: str) -> None:
        """Adds what the module's ``__test__`` names."""
        binding = self._module.namespace.get("__test__")
        if binding is None:
            return
        if isinstance(binding.value, Unknown):
            self.found.append(Doctest(f"{name}.__test__", binding.line, ("__test__ is computed",)))
            return
        if not isinstance(binding.value, dict):
            raise Malformed("__test__ is no dictionary")
        for key, value in binding.value.items():
            if not isinstance(key, str):
                raise Malformed("a key of __test__ is no text")
            whole = f"{name}.__test__.{key}"
            if isinstance(value, str):
                self.take(value, None, whole, binding.line, binding.conditions)
            else:
                self._object(value, whole, binding.conditions)
