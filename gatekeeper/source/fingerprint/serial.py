"""Syntax as a hash of what it means: layout, comments and the spelling of locals do not count, everything else does."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import SKIPPED, constant
from gatekeeper.source.fingerprint.locals import (
    COMPREHENSIONS,
    FUNCTIONS,
    Space,
    arguments,
    bound,
    names_of,
    spelling_counts,
)
from gatekeeper.source.rows import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Meaning = Callable[[str, tuple[str, ...]], str]
    """What a free name and the attributes taken of it mean, as text."""

FORM = b"gatekeeper-fingerprint-1"
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.BitOr, ast.Tuple, ast.List, ast.Load)


class Serial:
    """A running hash over nodes.

    Args:
        meaning: resolves a free name; it also learns of the name that way.
        imported: is told of every import inside a function: level, module, name or None.
        free: arguments of the outermost function that may be renamed (what Hypothesis passes by position).
        annotations: whether annotations of functions count.
    """

    def __init__(
        self,
        meaning: Meaning,
        imported: Callable[[int, str, str | None], str],
        *,
        free: Iterable[str] = (),
        annotations: bool = True,
    ) -> None:
        self._hash = sha256(FORM)
        self._meaning = meaning
        self._imported = imported
        self._free = frozenset(free)
        self._annotations = annotations
        self._numbers: dict[tuple[Space, str], int] = {}
        self._stack: list[object] = []
        self._root: object = None
        self._space: Space | None = None
        self._rename = True

    def hexdigest(self) -> str:
        """The hash so far."""
        return self._hash.hexdigest()

    def word(self, text: str) -> None:
        """Put a word that is no syntax."""
        self._hash.update(b"w%d:" % len(text) + text.encode("utf-8", "surrogatepass"))

    def put(self, node: ast.AST | list[ast.stmt] | list[ast.expr], space: Space | None = None) -> None:
        """Put a node, or a list of them, as seen from ``space``."""
        self._rename = not any(spelling_counts(item) for item in (node if isinstance(node, list) else [node]))
        self._root, self._stack = node, [node, _Back(space)]
        while self._stack:
            item = self._stack.pop()
            if isinstance(item, _Back):
                self._space = item.space
            elif isinstance(item, ast.AST):
                self._node(item)
            elif isinstance(item, list):
                kept = [node for node in statements(item) if not (self._inside() and _is_bare(node))]
                self._hash.update(b"[%d" % len(kept))
                self._stack.extend(reversed(kept))
            elif isinstance(item, _Word):
                self._hash.update(item.data)
            elif isinstance(item, _Argument):
                self._name(item.name, ())
            else:
                self._hash.update(canonical(constant(item)).encode("ascii"))

    def _node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self._name(node.id, ())
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        else:
            self._plain(node)

    def _plain(self, node: ast.AST) -> None:
        if isinstance(node, ast.AnnAssign) and self._inside() and isinstance(node.target, ast.Name):
            # Nobody evaluates the annotation of a local; alone it only makes the name local.
            if node.value is not None:
                self._fields("Assign", [("targets", [node.target]), ("value", node.value)])
            return
        if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Constant):
            self._fields("Assert", [("test", node.test)])
            return
        if isinstance(node, ast.Delete):
            self._fields("Delete", [("targets", _flat(node.targets))])
            return
        if isinstance(node, ast.ExceptHandler):
            self._fields("ExceptHandler", [("type", node.type), ("name", self._bound(node.name)), ("body", node.body)])
            return
        fields: list[tuple[str, object]] = []
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in SKIPPED:
                continue
            if name in ("name", "rest") and isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
                value = self._bound(value)
            fields.append((name, value))
        self._fields(type(node).__name__, fields)

    def _fields(self, kind: str, fields: list[tuple[str, object]]) -> None:
        self._hash.update(b"(" + kind.encode())
        for name, value in reversed(fields):
            if value is not None:
                self._stack.extend((value, _Word(b"." + name.encode())))

    def _name(self, name: str, attributes: tuple[str, ...]) -> None:
        space = self._space.owner(name) if self._space is not None else None
        if space is None:
            self.word("g" + self._meaning(name, attributes))
            return
        text = self._local(space, name)
        self.word(text + "".join(f".{attribute}" for attribute in attributes))

    def _local(self, space: Space, name: str) -> str:
        if space.of_class:
            return "c" + name
        if not self._rename or name in space.kept:
            return "k" + name
        return f"l{self._numbers.setdefault((space, name), len(self._numbers))}"

    def _bound(self, name: str | None) -> object:
        if name is None:
            return None
        space = self._space.owner(name) if self._space is not None else None
        text = f"w{name}" if space is None else self._local(space, name)
        return _Word(b"n" + text.encode("utf-8", "surrogatepass") + b"\0")

    def _attribute(self, node: ast.Attribute) -> None:
        names: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            self._name(inner.id, tuple(reversed(names)))
            return
        self._hash.update(b"(Chain" + ".".join(reversed(names)).encode("utf-8", "surrogatepass") + b"\0")
        self._stack.append(inner)

    def _inside(self) -> bool:
        return self._space is not None and not self._space.of_class

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        around, args = self._space, node.args
        names = arguments(node)
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        every += [arg for arg in (args.vararg, args.kwarg) if arg is not None]
        around_it: list[object] = []
        kept: list[str] = []
        body: object = node.body
        if not isinstance(node, ast.Lambda):
            kept = [name for name in names if node is not self._root or name not in self._free]
            # The outermost definition is known by the name under which it was found.
            around_it = [_Word(b"-") if node is self._root else self._bound(node.name), node.decorator_list]
            around_it += [node.returns] if node.returns is not None and self._wanted(node.returns) else []
        inside = Space(names_of(node), around, kept=kept)
        shape = (len(args.posonlyargs), len(args.args), len(args.kwonlyargs), args.vararg is None, args.kwarg is None)
        annotations = [
            (index, arg.annotation)
            for index, arg in enumerate(every)
            if arg.annotation is not None and self._wanted(arg.annotation)
        ]
        self._sequence(
            [
                _Word(b"(" + type(node).__name__.encode() + repr(shape).encode()),
                *around_it,
                args.defaults,
                *[_Word(b"-") if default is None else default for default in args.kw_defaults],
                *[part for index, item in annotations for part in (_Word(b":%d" % index), item)],
                _Back(inside),
                *[_Argument(name) for name in names],
                body,
                _Back(around),
                _Word(b")"),
            ]
        )

    def _class(self, node: ast.ClassDef) -> None:
        around = self._space
        inside = Space(bound(list(node.body)), around, of_class=True)
        name = _Word(b"-") if node is self._root else self._bound(node.name)
        head = [_Word(b"(ClassDef"), name, node.decorator_list, node.bases, node.keywords]
        self._sequence([*head, _Back(inside), node.body, _Back(around), _Word(b")")])

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        around, first = self._space, node.generators[0]
        inside = Space(bound([generator.target for generator in node.generators]), around)
        items: list[object] = [_Word(b"(" + type(node).__name__.encode()), first.iter, _Back(inside)]
        for index, generator in enumerate(node.generators):
            items += [_Word(b"for%d" % generator.is_async), generator.target]
            items += [generator.iter] if index else []
            items.append(generator.ifs)
        items += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._sequence([*items, _Back(around), _Word(b")")])

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        level, module = (node.level, node.module or "") if isinstance(node, ast.ImportFrom) else (0, "")
        items: list[object] = [_Word(b"(Import%d" % len(node.names))]
        for alias in node.names:
            if isinstance(node, ast.Import):
                meant, name = self._imported(0, alias.name, None), alias.asname or alias.name.partition(".")[0]
            else:
                meant, name = self._imported(level, module, alias.name), alias.asname or alias.name
            items += [meant, self._bound(name)]
        self._sequence(items)

    def _sequence(self, items: list[object]) -> None:
        self._stack.extend(reversed(items))

    def _wanted(self, annotation: ast.expr) -> bool:
        return self._annotations or not all(isinstance(part, _PLAIN) for part in ast.walk(annotation))


class _Word:
    """Bytes that go into the hash as they are."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class _Back:
    """From here on names are seen from another space."""

    __slots__ = ("space",)

    def __init__(self, space: Space | None) -> None:
        self.space = space


class _Argument:
    """An argument of the function whose space has been entered."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def statements(nodes: list[ast.AST]) -> list[ast.AST]:
    """The nodes without what does nothing: texts and constants that stand alone, ``pass``, bare annotations."""
    return [node for node in nodes if not does_nothing(node)]


def does_nothing(node: object) -> bool:
    """Whether it is a statement that is there for readers only."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Pass)


def _is_bare(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name)


def _flat(nodes: list[ast.expr]) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in nodes:
        found.extend(node.elts if isinstance(node, ast.Tuple) else [node])
    return found
