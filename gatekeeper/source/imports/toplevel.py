"""The top level of a source, read in the order in which it runs: what it imports, binds and needs."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.targets import bound, flat
from gatekeeper.source.imports.conditions import truth
from gatekeeper.source.imports.form import ALWAYS, MAYBE
from gatekeeper.source.imports.uses import GIVEN, uses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar

    Summary = dict[str, Any]
    Step = list[Any]

_TYPE_ALIAS: type = getattr(ast, "TypeAlias", type(None))  # since Python 3.12
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


def reading(tree: ast.Module, data: bytes, *, annotations: bool = False) -> Reader:
    """A reader that has read the top level of a source."""
    reader = Reader(tree, walrus=b":=" in data, annotations=annotations)
    reader.block(tree.body, ALWAYS)
    return reader


class Reader:
    """Reads the top level in the order in which it runs."""

    def __init__(self, tree: ast.Module, *, walrus: bool, annotations: bool) -> None:
        self._tree = tree
        self._annotations = annotations
        self._walrus = walrus
        self.names: dict[str, int] = {}
        self.imported: dict[str, str] = {}
        self.defined: set[str] = set()
        self._steps: list[Step] = []
        self._lazy: list[Step] = []
        self._globals: set[str] = set()
        self._caught: set[str] = set()
        self._deleted: set[str] = set()
        self._all: list[str] | bool | None = None
        self._fails: list[Any] | None = None
        self._uses: dict[tuple[str, str], int] = {}
        self._times: dict[str, int] = {}

    def summary(self) -> Summary:
        """What was read."""
        for name in self._globals:
            self.names[name] = 0
        gone = (self._deleted | self._caught.difference(self.names)) - self._globals
        for name in self._caught:
            self.names.setdefault(name, 0)
        return {
            "steps": self._steps,
            "lazy": self._lazy,
            "names": self.names,
            "gone": sorted(gone),
            "all": self._all,
            "fails": self._fails,
            "uses": self._needed(),
        }

    def _needed(self) -> list[list[Any]]:
        """The uses that somebody else may not satisfy."""
        found: list[list[Any]] = []
        for (name, attribute), line in self._uses.items():
            if not attribute and name not in self.names and name not in GIVEN:
                found.append([line, name])
            elif attribute and self._times.get(name) == 1 and name in self.imported and name not in self._globals:
                found.append([line, name, attribute, self.imported[name]])
        return found

    def block(self, body: Iterable[ast.stmt], flag: int) -> None:
        """The statements of a block; ``flag`` says whether it surely runs and a failure in it surely gets out."""
        for stmt in body:
            self._bound(stmt, flag)
            if flag == ALWAYS:
                for use in uses(stmt, annotations=self._annotations):
                    self._uses.setdefault((use.name, use.attribute), use.line)
            read = self._READ.get(type(stmt))
            if read is not None:
                read(self, stmt, flag)

    def _bind(self, name: str) -> None:
        self.names.setdefault(name, len(self._steps))
        self._times[name] = self._times.get(name, 0) + 1
        self._deleted.discard(name)

    def _bound(self, stmt: ast.stmt, flag: int) -> None:
        if isinstance(stmt, ast.AnnAssign) and stmt.value is None:
            return  # an annotation alone binds nothing
        for name in bound(stmt, walrus=self._walrus):
            if name == "__all__":
                self._read_all(stmt, flag)
            self._bind(name)

    def _read_all(self, stmt: ast.stmt, flag: int) -> None:
        """``__all__ = [...]`` and ``__all__ += [...]`` of texts; anything else makes it unreadable."""
        value = getattr(stmt, "value", None)
        items = _texts(value) if isinstance(stmt, ast.Assign | ast.AnnAssign | ast.AugAssign) else None
        if items is None or flag != ALWAYS or len(getattr(stmt, "targets", "1")) != 1:
            self._all = False
        elif isinstance(stmt, ast.AugAssign):
            self._all = [*self._all, *items] if isinstance(self._all, list) else False
        else:
            self._all = items if self._all is None else False

    def _import(self, stmt: ast.Import, flag: int) -> None:
        for item in stmt.names:
            self._steps.append(["import", stmt.lineno, flag, item.name])
            name = item.asname or item.name.partition(".")[0]
            self._bind(name)
            self.imported[name] = item.name if item.asname else name

    def _from(self, stmt: ast.ImportFrom, flag: int) -> None:
        self._steps.append(_from_step(stmt, flag))
        for item in stmt.names:
            if item.name != "*":
                name = item.asname or item.name
                self._bind(name)
                self.imported[name] = f"{'.' * stmt.level}{stmt.module or ''}:{item.name}"

    def _function(self, stmt: ast.FunctionDef | ast.AsyncFunctionDef, _flag: int) -> None:
        self._bind(stmt.name)
        self.defined.add(stmt.name)
        self._inside(stmt.body)

    def _class(self, stmt: ast.ClassDef, flag: int) -> None:
        self._class_body(stmt.body, flag)
        self._bind(stmt.name)
        self.defined.add(stmt.name)

    def _class_body(self, body: list[ast.stmt], flag: int) -> None:
        """What runs in the body of a class binds nothing here, but what it imports is imported."""
        inner = Reader(self._tree, walrus=False, annotations=self._annotations)
        inner.block(body, flag)
        self._steps.extend(inner._steps)
        self._lazy.extend(inner._lazy)
        self._globals |= inner._globals
        for (name, attribute), line in inner._uses.items():
            if name not in inner.names:
                self._uses.setdefault((name, attribute), line)
        self.imported = {**inner.imported, **self.imported}

    def _inside(self, body: list[ast.stmt]) -> None:
        """The body of a function: it may run at any time."""
        pending: list[Any] = list(body)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Import):
                for item in node.names:
                    self._lazy.append(["import", node.lineno, MAYBE, item.name])
                    self.imported.setdefault(item.asname or item.name.partition(".")[0], item.name)
            elif isinstance(node, ast.ImportFrom):
                self._lazy.append(_from_step(node, MAYBE))
                for item in node.names:
                    said = f"{'.' * node.level}{node.module or ''}:{item.name}"
                    self.imported.setdefault(item.asname or item.name, said)
            elif isinstance(node, ast.Global):
                self._globals.update(node.names)
            else:
                for name in _BLOCKS:
                    pending.extend(getattr(node, name, ()))

    def _if(self, stmt: ast.If, flag: int) -> None:
        while True:
            known = truth(stmt.test, self._tree)
            if known is not False:
                self.block(stmt.body, flag if known else MAYBE)
            if known is True:
                return
            flag = flag if known is False else MAYBE
            if len(stmt.orelse) != 1 or not isinstance(stmt.orelse[0], ast.If):
                self.block(stmt.orelse, flag)
                return
            # a chain of a thousand ``elif`` is no recursion
            stmt = stmt.orelse[0]
            self._bound(stmt, flag)

    def _try(self, stmt: ast.Try, flag: int) -> None:
        passes = all(handler.body and isinstance(handler.body[-1], ast.Raise) for handler in stmt.handlers)
        inner = flag if passes else MAYBE
        self.block(stmt.body, inner)
        for handler in stmt.handlers:
            if handler.name is not None:
                self._caught.add(handler.name)
            self.block(handler.body, MAYBE)
        self.block(stmt.orelse, inner)
        self.block(stmt.finalbody, flag)

    def _loop(self, stmt: ast.For | ast.While | ast.With, _flag: int) -> None:
        """A loop may not run; what a context manager does with a failure is its own affair."""
        self.block(stmt.body, MAYBE)
        self.block(getattr(stmt, "orelse", ()), MAYBE)

    def _match(self, stmt: ast.Match, _flag: int) -> None:
        for case in stmt.cases:
            self.block(case.body, MAYBE)

    def _raise(self, stmt: ast.Raise, flag: int) -> None:
        if flag == ALWAYS and self._fails is None:
            self._fails = [stmt.lineno, "it raises", len(self._steps)]

    def _return(self, stmt: ast.Return, _flag: int) -> None:
        self._fails = [stmt.lineno, "'return' outside a function", 0]

    def _delete(self, stmt: ast.Delete, flag: int) -> None:
        for target in stmt.targets:
            for item in flat(target):
                if isinstance(item, ast.Name) and flag == ALWAYS:
                    self._deleted.add(item.id)
                if isinstance(item, ast.Name) and item.id == "__all__":
                    self._all = False

    def _expression(self, stmt: ast.Expr, _flag: int) -> None:
        """``__all__.append(...)`` and its like."""
        call = stmt.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            value = call.func.value
            if isinstance(value, ast.Name) and value.id == "__all__":
                self._all = False

    def _alias(self, stmt: Any, _flag: int) -> None:
        self._bind(stmt.name.id)

    _READ: ClassVar[dict[type, Callable[[Reader, Any, int], None]]] = {
        ast.Import: _import,
        ast.ImportFrom: _from,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
        ast.If: _if,
        ast.Try: _try,
        ast.TryStar: _try,
        ast.For: _loop,
        ast.AsyncFor: _loop,
        ast.While: _loop,
        ast.With: _loop,
        ast.AsyncWith: _loop,
        ast.Match: _match,
        ast.Raise: _raise,
        ast.Return: _return,
        ast.Delete: _delete,
        ast.Expr: _expression,
        _TYPE_ALIAS: _alias,
    }


def _from_step(stmt: ast.ImportFrom, flag: int) -> Step:
    return ["from", stmt.lineno, flag, stmt.level, stmt.module or "", [item.name for item in stmt.names]]


def _texts(node: ast.expr | None) -> list[str] | None:
    """A list or tuple of texts, or None."""
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    items = [item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return items if len(items) == len(node.elts) else None
