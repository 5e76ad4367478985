"""Phase one: the facts of one module, a pure function of its name and its bytes.

Nothing here looks at another module; what a name finally means is settled by :mod:`gatekeeper.source.link.whole`. Facts
are JSON, and may be kept under (blob oid, module name, :data:`gatekeeper.source.rows.SCHEMA`).
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.assigned import assigned, attribute, augmented, type_alias
from gatekeeper.source.facts.bindings import Bindings
from gatekeeper.source.facts.called import decorated
from gatekeeper.source.facts.classes import read_class
from gatekeeper.source.facts.dynamic import dynamic
from gatekeeper.source.facts.exports import Exports
from gatekeeper.source.facts.functions import accessor_of, duplicate_parameter, read_function
from gatekeeper.source.facts.lines import Lines
from gatekeeper.source.facts.made import made_class
from gatekeeper.source.facts.precheck import Unreadable, read_tree
from gatekeeper.source.facts.scope import Scope
from gatekeeper.source.facts.serial import Serialiser
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.facts.targets import bound, declared, flat
from gatekeeper.source.facts.walk import Guards, statements
from gatekeeper.source.rows import SCHEMA, unreadable
from gatekeeper.source.words import METADATA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar

    from gatekeeper.source.facts.bindings import Definition
    from gatekeeper.source.facts.called import Defined
    from gatekeeper.source.facts.functions import Function
    from gatekeeper.source.facts.walk import Placed
    from gatekeeper.source.rows import Facts, Value

_NO_CODE = "syntax"
"""The reason for what parses and yet cannot be compiled: at run time such a module would export nothing."""
_OPEN_ENDED = ("__getattr__", "__dir__")
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_IMPORTS = frozenset({ast.Import, ast.ImportFrom})
_TYPE_ALIAS: type = getattr(ast, "TypeAlias", type(None))  # since Python 3.12


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


class _Block:
    """The body of a module or class while it is read; ``guard`` is the condition of the statement at hand."""

    __slots__ = ("bindings", "defined", "guard", "in_class", "path", "scope")

    def __init__(self, scope: Scope, path: str, *, in_class: bool) -> None:
        self.scope = scope
        self.path = path
        self.in_class = in_class
        self.guard = ""
        self.bindings = Bindings()
        self.defined: dict[str, Defined] = {}


class Reader:
    """Reads one parsed module."""

    def __init__(self, module: str, *, is_package: bool, data: bytes, tree: ast.Module) -> None:
        self.module = module
        self._package = module if is_package else module.rpartition(".")[0]
        self._tree = tree
        self._lines = Lines(data)
        self._walrus = b":=" in data
        self._above: dict[int, str] = {}
        self._stars: list[Value] = []
        self._opaque: list[Value] = []
        self._yields = self._lines.holding(b"yield")

    def facts(self) -> Facts:
        """All that the link step needs of this module."""
        names: dict[str, Value] = {}
        placed = statements(self._tree.body)
        self.name_table(placed, self.module, names)
        stored = dict(declared(placed, self._lines))
        names |= {name: f"{self.module}.{name}" for name in stored if name not in names}
        scope = Scope(self.module, (names,), open_ended=bool(self._stars))
        self._stars = []
        exports = Exports(scope)
        listed = exports if self._lines.may_name(b"__all__") else None
        bindings = self.read_body(placed, scope, self.module, in_class=False, exports=listed)
        for name, line in stored.items():
            # what a function may replace is both: what is written here, and what it puts there
            bindings.put(name, "global" if name in bindings.names else "", attribute(None, ["expr", "Global"], line))
        self._opaque.extend(dynamic(placed, self._lines, names))
        return {
            "names": bindings.names,
            "all": exports.fact(),
            "stars": self._stars,
            "opaque": sorted(self._opaque, key=lambda item: (item[1], item[0])),
        }

    def name_table(self, placed: Iterable[Placed], path: str, table: dict[str, Value]) -> None:
        """Pass one over a body: what each name that it binds is called elsewhere."""
        for _, stmt in placed:
            kind = type(stmt)
            if kind in _DEFINITIONS:
                table[stmt.name] = f"{path}.{stmt.name}"  # type: ignore[attr-defined]
            elif kind in _IMPORTS:
                for name, origin, _ in self._imported(stmt):  # type: ignore[arg-type]
                    if name == "*":
                        self._stars.append(origin)
                    else:
                        table.setdefault(name, origin)
            elif kind is _TYPE_ALIAS:
                name = stmt.name.id  # type: ignore[attr-defined]
                table[name] = f"{path}.{name}"
            elif kind is not ast.Expr or self._walrus:
                for name in bound(stmt, walrus=self._walrus):
                    table[name] = f"{path}.{name}"

    def read_body(
        self, placed: Iterable[Placed], scope: Scope, path: str, *, in_class: bool, exports: Exports | None = None
    ) -> Bindings:
        """Pass two over a body: a definition for every name that it binds."""
        block = _Block(scope, path, in_class=in_class)
        guards = Guards(Serialiser(scope, set()))
        last = None
        for guard, stmt in placed:
            if guard is not last:
                block.guard, last = guards.text(guard), guard
            if exports is not None:
                exports.read(stmt, guarded=bool(block.guard))
            self._READ.get(type(stmt), Reader._other)(self, stmt, block)
        return block.bindings

    def _function(self, stmt: Function, block: _Block) -> None:
        if duplicate_parameter(stmt.args):
            raise Unreadable(_NO_CODE)
        writer = Serialiser(block.scope, set())
        definition = self._function_fact(stmt, writer, method=block.in_class)
        block.bindings.put(stmt.name, block.guard, definition)
        block.defined[stmt.name] = stmt

    def _class(self, stmt: ast.ClassDef, block: _Block) -> None:
        writer = Serialiser(block.scope, set())
        block.defined[stmt.name] = stmt
        block.bindings.put(stmt.name, block.guard, read_class(stmt, self, writer, f"{block.path}.{stmt.name}"))

    def _assignment(self, stmt: ast.Assign | ast.AnnAssign, block: _Block) -> None:
        writer = Serialiser(block.scope, set())
        if type(stmt.value) is ast.Call and self._called(stmt, stmt.value, writer, block):
            return
        for name, definition in assigned(stmt, writer, method=block.in_class):
            block.bindings.put(name, block.guard, definition)

    def _called(self, stmt: ast.Assign | ast.AnnAssign, call: ast.Call, writer: Serialiser, block: _Block) -> bool:
        """Whether a call makes a class, or decorates what is defined above; it is bound as that then."""
        target = stmt.targets[0] if type(stmt) is ast.Assign and len(stmt.targets) == 1 else None
        if not isinstance(target, ast.Name):
            return False
        made = made_class(call, writer)
        if made is not None:
            block.bindings.put(target.id, block.guard, made)
            return True
        stands_for = decorated(target.id, call, block.defined, writer)
        for item in stands_for:
            self._READ[type(item)](self, item, block)
        return bool(stands_for)

    def _alias(self, stmt: Any, block: _Block) -> None:
        block.bindings.put(stmt.name.id, block.guard, type_alias(stmt, Serialiser(block.scope, set())))

    def _deletion(self, stmt: ast.Delete, block: _Block) -> None:
        for target in stmt.targets:
            for item in flat(target):
                if isinstance(item, ast.Name):
                    block.bindings.remove(item.id, block.guard)

    def _augmentation(self, stmt: ast.AugAssign, block: _Block) -> None:
        target = stmt.target
        if not isinstance(target, ast.Name) or target.id == "__all__" or target.id in METADATA:
            self._other(stmt, block)
            return
        variants = block.bindings.names.get(target.id, ())
        earlier = next((item for guard, item in variants if guard == block.guard), None)
        fact = augmented(stmt, earlier, Serialiser(block.scope, set()))
        if fact is not earlier:
            block.bindings.put(target.id, block.guard, fact)

    def _other(self, stmt: ast.stmt, block: _Block) -> None:
        for name in bound(stmt, walrus=self._walrus):
            if name != "__all__":
                kind = type(stmt).__name__
                block.bindings.put(name, block.guard, attribute(None, ["expr", kind], stmt.lineno))

    def _refuse(self, _stmt: ast.stmt, _block: _Block) -> None:
        raise Unreadable(_NO_CODE)

    def _function_fact(self, node: Function, writer: Serialiser, *, method: bool) -> Definition:
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

    def _import(self, stmt: ast.Import | ast.ImportFrom, block: _Block) -> None:
        if isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__" and self._late(stmt):
            raise Unreadable(_NO_CODE)
        for name, origin, explicit in self._imported(stmt):
            if name == "*":
                self._stars.append([block.guard, origin, stmt.lineno])
            else:
                how = "as" if explicit else ""
                fact = {"k": "import", "of": origin, "how": how, "line": stmt.lineno, "refs": []}
                block.bindings.put(name, block.guard, fact)

    def _late(self, stmt: ast.ImportFrom) -> bool:
        """Whether a ``__future__`` import comes after anything but the docstring and its like."""
        return stmt not in self._tree.body or any(
            not (isinstance(item, ast.ImportFrom) and item.module == "__future__")
            and not (place == 0 and isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
            for place, item in enumerate(self._tree.body[: self._tree.body.index(stmt)])
        )

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
        above = self._above.get(level)
        if above is None:
            parts = self._package.split(".")
            kept = ".".join(parts[: len(parts) - level + 1])
            above = self._above[level] = kept if level <= len(parts) else f"<above {self.module}>"
        return f"{above}.{name}" if name or above[0] == "<" else above

    _READ: ClassVar[dict[type, Callable[[Reader, Any, _Block], None]]] = {
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
        ast.Import: _import,
        ast.ImportFrom: _import,
        ast.Assign: _assignment,
        ast.AnnAssign: _assignment,
        ast.AugAssign: _augmentation,
        _TYPE_ALIAS: _alias,
        ast.Delete: _deletion,
        ast.Return: _refuse,
    }
