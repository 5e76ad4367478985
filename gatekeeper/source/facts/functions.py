"""Functions and methods as payloads: every kind of parameter, the flags of known decorators, accessors."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.serial import TYPE
from gatekeeper.source.words import DECORATORS, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.facts.serial import Serialiser
    from gatekeeper.source.rows import Value

    Function = ast.FunctionDef | ast.AsyncFunctionDef

_IMPLICIT_CLASS = ("__init_subclass__", "__class_getitem__")
_ACCESSORS = {"setter": "set", "deleter": "del", "getter": "get"}
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def accessor_of(node: Function) -> str | None:
    """``set``, ``del`` or ``get`` when the function is a further accessor of the property of its own name."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Attribute) and decorator.attr in _ACCESSORS:
            owner = decorator.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", None)
            if name == node.name:
                return _ACCESSORS[decorator.attr]
    return None


def read_function(node: Function, writer: Serialiser, *, method: bool, yields: bool) -> tuple[str, Value]:
    """The kind (``function`` or ``attribute`` for a property) and payload of a definition.

    Args:
        node: the definition.
        writer: of the scope that holds it.
        method: whether it is written in the body of a class, where the first parameter is bound.
        yields: whether a ``yield`` stands somewhere between its first and last line.
    """
    flags, unknown, is_property = _decorators(node, writer)
    table, type_params = read_type_params(node, writer, "f")
    inner = writer.within(table)
    returns = inner.write(node.returns, TYPE)
    if is_property:
        payload: Value = {"annotation": returns, "value": None, "accessors": ["get"], "final": "final" in flags}
        extra = sorted(flags - {"final"})
        return "attribute", payload | ({"flags": extra} if extra else {}) | ({"decorators": unknown} if unknown else {})
    if isinstance(node, ast.AsyncFunctionDef):
        flags.add("async")
    if yields and _is_generator(node):
        flags.add("gen")
    if method and node.name in _IMPLICIT_CLASS:
        flags.add("class")
    bound = method and "static" not in flags
    return "function", {
        "params": read_params(node.args, inner, bound=bound),
        "returns": returns,
        "flags": sorted(flags),
        "decorators": unknown,
        "type_params": type_params,
    }


def _decorators(node: Function, writer: Serialiser) -> tuple[set[str], list[Value], bool]:
    flags: set[str] = set()
    unknown: list[Value] = []
    is_property = False
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        value = writer.write(callee)
        path = value[1] if isinstance(value, list) and value[0] == "name" else ""
        if path in PROPERTIES:
            is_property = True
            flags.update(PROPERTIES[path].split())
        elif path in DECORATORS:
            flags.update(DECORATORS[path].split())
        else:
            unknown.append(writer.write(decorator))
    return flags, unknown, is_property


def read_type_params(node: ast.AST, writer: Serialiser, owner: str) -> tuple[dict[str, Value], list[Value]]:
    """The PEP 695 parameters of a definition: the names they bind, and ``[kind, bound, default]`` for each."""
    nodes = getattr(node, "type_params", ())
    if not nodes:
        return {}, []
    table: dict[str, Value] = {item.name: ["type", f"{owner}{place}"] for place, item in enumerate(nodes)}
    inner = writer.within(table)
    described = [
        [
            type(item).__name__,
            inner.write(getattr(item, "bound", None), TYPE),
            inner.write(getattr(item, "default_value", None), TYPE),
        ]
        for item in nodes
    ]
    return table, described


def read_params(arguments: ast.arguments, writer: Serialiser, *, bound: bool) -> list[Value]:
    """The parameters that a caller can reach: ``[slot, name, default, annotation]`` each; a bound first one is gone."""
    positional = arguments.posonlyargs + arguments.args
    missing = len(positional) - len(arguments.defaults)
    params: list[Value] = []
    leading = True
    for place, item in enumerate(positional):
        if place == 0 and bound:
            continue
        # Before PEP 570, two underscores said "by position only", and type checkers still read it so.
        leading = leading and item.arg.startswith("__") and not item.arg.endswith("__")
        only = leading or place < len(arguments.posonlyargs)
        default = writer.write(arguments.defaults[place - missing]) if place >= missing else None
        annotation = None if item.annotation is None else writer.write(item.annotation, TYPE)
        params.append(["pos", "_", default, annotation] if only else ["pok", item.arg, default, annotation])
    if arguments.vararg is not None:
        params.append(["var", "_", None, writer.write(arguments.vararg.annotation, TYPE)])
    if arguments.kwonlyargs:
        named = [
            ["kwo", item.arg, writer.write(default), writer.write(item.annotation, TYPE)]
            for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ]
        params.extend(sorted(named, key=lambda param: param[1]))
    if arguments.kwarg is not None:
        params.append(["kw", "_", None, writer.write(arguments.kwarg.annotation, TYPE)])
    return params


def duplicate_parameter(arguments: ast.arguments) -> bool:
    """``def f(a, a)`` parses and does not compile: a module that holds it exports nothing."""
    names = [item.arg for item in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
    if arguments.vararg is not None:
        names.append(arguments.vararg.arg)
    if arguments.kwarg is not None:
        names.append(arguments.kwarg.arg)
    return len(names) != len(set(names))


def _is_generator(node: Function) -> bool:
    """Whether a ``yield`` belongs to the function itself and not to one inside it."""
    return any(isinstance(item, ast.Yield | ast.YieldFrom) for item in own_nodes(node.body))


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node that runs in the scope of a body; of an inner definition only its decorators and defaults do."""
    stack: list[ast.AST] = list(body)
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, _OWN_SCOPE):
            stack.extend(getattr(item, "decorator_list", ()))
            stack.extend(getattr(item, "bases", ()))
            arguments = getattr(item, "args", None)
            if arguments is not None:
                stack.extend(arguments.defaults)
                stack.extend(default for default in arguments.kw_defaults if default is not None)
        else:
            stack.extend(ast.iter_child_nodes(item))
