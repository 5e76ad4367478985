"""Phase one: the facts of one module, a pure function of its name and its bytes.

Nothing here looks at another module; what a name finally means is settled by :mod:`gatekeeper.source.link`. Facts are
JSON, and may be kept under (blob oid, module name, :data:`gatekeeper.source.rows.SCHEMA`).
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.assigned import assigned, attribute, type_alias
from gatekeeper.source.bindings import Bindings
from gatekeeper.source.classes import flat, read_class
from gatekeeper.source.dynamic import dynamic
from gatekeeper.source.exports import Exports
from gatekeeper.source.functions import accessor_of, duplicate_parameter, read_function
from gatekeeper.source.lines import Lines
from gatekeeper.source.precheck import Unreadable, read_tree
from gatekeeper.source.rows import SCHEMA, unreadable
from gatekeeper.source.scope import Scope
from gatekeeper.source.serial import Serialiser
from gatekeeper.source.structure import structure_hash
from gatekeeper.source.walk import Guards, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.bindings import Definition
    from gatekeeper.source.functions import Function
    from gatekeeper.source.rows import Facts, Value

_OPEN_ENDED = ("__getattr__", "__dir__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def facts(module: str, is_package: bool, stub: bool, blob: bytes) -> Facts:
    """The facts of a module.

    Args:
        module: its dotted name.
        is_package: whether the file is an ``__init__``.
        stub: whether the file is a ``.pyi``.
        blob: the file's bytes.

    Returns:
        ``names`` (name to variants), ``all``, ``stars``, ``opaque``; or ``error``, a stable word, and ``blob``, the
        SHA-256 of the bytes, for a file that cannot be read.
    """
    try:
        reader = Reader(module, is_package=is_package, data=blob, tree=read_tree(blob))
        head: Facts = {"schema": SCHEMA, "module": module, "package": is_package, "stub": stub}
        return head | reader.facts()
    except Unreadable as error:
        return unreadable(module, is_package, stub, error.reason, blob)
    except (RecursionError, MemoryError):
        # The parser took it and the walk did not: as unreadable as if it had not parsed.
        return unreadable(module, is_package, stub, "too-deep", blob)


class Reader:
    """Reads one parsed module."""

    def __init__(self, module: str, *, is_package: bool, data: bytes, tree: ast.Module) -> None:
        self.module = module
        self._package = module if is_package else module.rpartition(".")[0]
        self._tree = tree
        self._lines = Lines(data)
        self._walrus = b":=" in data
        self._stars: list[Value] = []
        self._opaque: list[Value] = []
        self._yields = self._lines.holding(b"yield")

    def facts(self) -> Facts:
        """All that the link step needs of this module."""
        names: dict[str, Value] = {}
        self.name_table(self._tree.body, self.module, names)
        scope = Scope(self.module, (names,), open_ended=bool(self._stars))
        self._stars = []
        exports = Exports(scope)
        bindings = self.read_body(self._tree.body, scope, self.module, in_class=False, exports=exports)
        self._opaque.extend(dynamic(self._tree, self._lines, set(names)))
        return {
            "names": bindings.names,
            "all": exports.fact(),
            "stars": self._stars,
            "opaque": sorted(self._opaque, key=lambda item: (item[1], item[0])),
        }

    def name_table(self, body: list[ast.stmt], path: str, table: dict[str, Value]) -> None:
        """Pass one over a body: what each name that it binds is called elsewhere."""
        for _, stmt in statements(body):
            if isinstance(stmt, ast.Import | ast.ImportFrom):
                for name, origin, _ in self._imported(stmt):
                    if name == "*":
                        self._stars.append(origin)
                    else:
                        table.setdefault(name, origin)
            else:
                for name in self._bound(stmt):
                    table[name] = f"{path}.{name}"

    def _bound(self, stmt: ast.stmt) -> Iterator[str]:
        if isinstance(stmt, (*_FUNCTIONS, ast.ClassDef)):
            yield stmt.name
        elif type(stmt).__name__ == "TypeAlias":
            yield stmt.name.id  # type: ignore[attr-defined]
        else:
            for target in _targets(stmt):
                if isinstance(target, ast.Name):
                    yield target.id
            if isinstance(stmt, ast.Match):
                yield from _captures(stmt)
            if self._walrus:
                yield from _named_expressions(stmt)

    def read_body(
        self, body: list[ast.stmt], scope: Scope, path: str, *, in_class: bool, exports: Exports | None = None
    ) -> Bindings:
        """Pass two over a body: a definition for every name that it binds."""
        bindings = Bindings()
        guards = Guards(Serialiser(scope, set()))
        for guard, stmt in statements(body):
            if self._cannot_compile(stmt):
                raise Unreadable("syntax")  # it parses all the same; at run time it would export nothing
            text = guards.text(guard)
            if exports is not None:
                exports.read(stmt, guarded=bool(text))
            self._read_statement(stmt, text, bindings, scope, path, in_class=in_class)
        return bindings

    def _cannot_compile(self, stmt: ast.stmt) -> bool:
        if isinstance(stmt, _FUNCTIONS):
            return duplicate_parameter(stmt.args)
        if isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__":
            before = self._tree.body[: self._tree.body.index(stmt)] if stmt in self._tree.body else [stmt]
            return any(
                not (isinstance(item, ast.ImportFrom) and item.module == "__future__")
                and not (place == 0 and isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
                for place, item in enumerate(before)
                if item is not stmt
            )
        return isinstance(stmt, ast.Return)

    def _read_statement(  # noqa: C901 (one branch for each kind of statement)
        self, stmt: ast.stmt, text: str, bindings: Bindings, scope: Scope, path: str, *, in_class: bool
    ) -> None:
        writer = Serialiser(scope, set())
        if isinstance(stmt, _FUNCTIONS):
            bindings.put(stmt.name, text, self._function(stmt, writer, method=in_class))
        elif isinstance(stmt, ast.ClassDef):
            bindings.put(stmt.name, text, read_class(stmt, self, writer, f"{path}.{stmt.name}"))
        elif isinstance(stmt, ast.Import | ast.ImportFrom):
            self._import(stmt, text, bindings)
        elif isinstance(stmt, ast.Assign | ast.AnnAssign):
            for name, definition in assigned(stmt, writer, method=in_class):
                bindings.put(name, text, definition)
        elif type(stmt).__name__ == "TypeAlias":
            bindings.put(stmt.name.id, text, type_alias(stmt, writer))  # type: ignore[attr-defined]
        elif isinstance(stmt, ast.Delete):
            for item in _named_targets(stmt.targets):
                bindings.delete(item, text)
        else:
            for name in self._bound(stmt):
                if name != "__all__":
                    bindings.put(name, text, attribute(None, ["expr", type(stmt).__name__], stmt.lineno))

    def _function(self, node: Function, writer: Serialiser, *, method: bool) -> Definition:
        kind, payload = read_function(node, writer, method=method, yields=self._yields.within(node))
        fact: Definition = {"k": kind, "line": node.lineno, "refs": []}
        accessor = accessor_of(node) if method else None
        if accessor is not None:
            accepts = payload["params"][-1][3] if accessor == "set" and payload.get("params") else None
            fact |= {"k": "attribute", "accessor": accessor, "accepts": accepts}
            fact["p"] = {"annotation": None, "value": None, "accessors": ["get", accessor], "final": False}
        elif kind == "function":
            fact["sigs"] = [payload]
        else:
            fact["p"] = payload
        if not method and node.name in _OPEN_ENDED:
            fact["body"] = structure_hash(node.body)
        fact["refs"] = sorted(writer.refs)
        return fact

    def _import(self, stmt: ast.Import | ast.ImportFrom, guard: str, bindings: Bindings) -> None:
        for name, origin, explicit in self._imported(stmt):
            if name == "*":
                self._stars.append([guard, origin, stmt.lineno])
            else:
                how = "as" if explicit else ""
                bindings.put(name, guard, {"k": "import", "of": origin, "how": how, "line": stmt.lineno, "refs": []})

    def _imported(self, stmt: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, bool]]:
        """The names that an import binds: name, dotted origin, whether it says ``as`` the same name."""
        if isinstance(stmt, ast.Import):
            for item in stmt.names:
                if item.asname is None:
                    root = item.name.partition(".")[0]
                    yield root, root, False
                else:
                    yield item.asname, item.name, item.asname == item.name
            return
        if stmt.module == "__future__" and not stmt.level:
            return
        base = self._relative(stmt.module or "", stmt.level)
        for item in stmt.names:
            origin = base if item.name == "*" else f"{base}.{item.name}"
            yield item.asname or item.name, origin, item.asname == item.name

    def _relative(self, name: str, level: int) -> str:
        if not level:
            return name
        parts = self._package.split(".")
        kept = parts[: len(parts) - level + 1]
        if level > len(parts):
            return f"<above {self.module}>.{name}"
        return ".".join((*kept, name) if name else kept)


def _named_targets(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        yield from (item.id for item in flat(target) if isinstance(item, ast.Name))


def _targets(stmt: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(stmt, ast.Assign):
        for target in stmt.targets:
            yield from flat(target)
    elif isinstance(stmt, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
        yield from flat(stmt.target)
    elif isinstance(stmt, ast.With | ast.AsyncWith):
        for item in stmt.items:
            if item.optional_vars is not None:
                yield from flat(item.optional_vars)


def _captures(stmt: ast.Match) -> Iterator[str]:
    for case in stmt.cases:
        for item in ast.walk(case.pattern):
            name = getattr(item, "rest", None) if isinstance(item, ast.MatchMapping) else getattr(item, "name", None)
            if isinstance(name, str):
                yield name


def _named_expressions(stmt: ast.stmt) -> Iterator[str]:
    """Names that a walrus binds in the header of a statement; the statements inside it come by themselves."""
    pending: list[ast.AST] = [item for item in ast.iter_child_nodes(stmt) if not isinstance(item, ast.stmt)]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.NamedExpr) and isinstance(item.target, ast.Name):
            yield item.target.id
        if not isinstance(item, ast.Lambda | ast.stmt):
            pending.extend(ast.iter_child_nodes(item))
