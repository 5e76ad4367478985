"""What surely has to be there when the top level of a source runs: the names that it evaluates, whatever happens."""

from __future__ import annotations

import ast
import builtins

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GIVEN = frozenset(dir(builtins)) | {
    "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__module__", "__name__",
    "__package__", "__path__", "__qualname__", "__spec__", "_", "aiter", "anext", "copyright", "credits", "exit",
    "license", "quit", "reveal_type", "BaseExceptionGroup", "EncodingWarning", "ExceptionGroup",
    "PythonFinalizationError", "WindowsError",
}  # fmt: skip
"""Names that are there without being bound: builtins of any version of Python, those of ``site`` and ``gettext``."""


class Use(NamedTuple):
    """A name, or with ``attribute`` what is taken from it."""

    line: int
    name: str
    attribute: str


def uses(stmt: ast.stmt, *, annotations: bool) -> Iterator[Use]:
    """What a statement of the top level surely evaluates, not what its blocks hold; its annotations where asked."""
    pending: list[ast.AST] = list(_evaluated(stmt))
    if annotations:
        pending.extend(_annotations(stmt))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                yield Use(node.lineno, node.id, "")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield Use(node.lineno, node.value.id, "")
            if isinstance(node.ctx, ast.Load):
                yield Use(node.lineno, node.value.id, node.attr)
        else:
            pending.extend(_parts(node))


def _evaluated(stmt: ast.stmt) -> Iterable[ast.AST]:
    """The expressions of a statement that run with it."""
    if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [one for one in (*stmt.args.defaults, *stmt.args.kw_defaults) if one is not None]
        return [*stmt.decorator_list, *defaults]
    if isinstance(stmt, ast.ClassDef):
        if getattr(stmt, "type_params", None):
            return stmt.decorator_list  # the bases may name the parameters
        return [*stmt.decorator_list, *stmt.bases, *(one.value for one in stmt.keywords)]
    if isinstance(stmt, ast.Assign):
        return [stmt.value, *stmt.targets]
    for kinds, field in _FIELDS:
        if isinstance(stmt, kinds):
            value = getattr(stmt, field)
            return [] if value is None else [value]
    return []


def _annotations(stmt: ast.stmt) -> Iterable[ast.AST]:
    """The annotations of a statement, as expressions."""
    if isinstance(stmt, ast.AnnAssign):
        return [stmt.annotation]
    if not isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef) or getattr(stmt, "type_params", None):
        return []  # they may name the type parameters
    arguments = stmt.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    found = [one.annotation for one in every if one is not None]
    return [one for one in (*found, stmt.returns) if one is not None]


_FIELDS: tuple[tuple[tuple[type[ast.stmt], ...], str], ...] = (
    ((ast.Expr, ast.AugAssign, ast.AnnAssign), "value"),
    ((ast.If, ast.While, ast.Assert), "test"),
    ((ast.For,), "iter"),
    ((ast.Raise,), "exc"),
    ((ast.Match,), "subject"),
)


def _parts(node: ast.AST) -> Iterable[ast.AST]:
    """What an expression surely evaluates first."""
    if isinstance(node, ast.BoolOp):
        return node.values[:1]
    if isinstance(node, ast.IfExp):
        return [node.test]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.Lambda):
        return [one for one in (*node.args.defaults, *node.args.kw_defaults) if one is not None]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return [node.generators[0].iter]
    return ast.iter_child_nodes(node)
