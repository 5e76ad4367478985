"""Decorators written as calls: ``m = staticmethod(_m)``, ``p = property(_get)``, ``C = dataclass(eq=False)(C)``.

Each is read as the definitions with decorators that it stands for. Only decorators whose effect is known are, and only
of what is defined above in the same body: the value of any other call may be anything.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.words import ATTRS, DATACLASSES, DECORATORS, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.source.facts.serial import Serialiser

    Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_OF_CLASSES = (
    DATACLASSES | ATTRS | {"typing.final", "typing.runtime_checkable", "functools.total_ordering", "enum.unique"}
)
_OF_FUNCTIONS = frozenset({*DECORATORS, *PROPERTIES})
_WORDS = {"fget": "getter", "fset": "setter", "fdel": "deleter"}


def decorated(name: str, call: ast.Call, defined: Mapping[str, Defined], writer: Serialiser) -> list[Defined]:
    """The definitions that ``name = call`` stands for; none where it is a plain value."""
    callee = call.func.func if isinstance(call.func, ast.Call) else call.func
    subject = _subject(call.args[0], defined) if len(call.args) == 1 and not call.keywords else None
    if subject is None and getattr(callee, "id", None) != "property":
        return []  # most calls end here
    written = writer.write(callee)
    path = written[1] if isinstance(written, list) and written[0] == "name" else ""
    if path == "property":
        return _property(name, call, defined)
    known = _OF_CLASSES if isinstance(subject, ast.ClassDef) else _OF_FUNCTIONS
    if subject is None or path not in known:
        return []
    return [_copy(subject, name, [call.func, *subject.decorator_list])]


def _subject(node: ast.expr, defined: Mapping[str, Defined]) -> Defined | None:
    if isinstance(node, ast.Lambda):
        made = ast.FunctionDef(name="_", args=node.args, body=[], decorator_list=[], returns=None)
        return ast.copy_location(made, node)
    return defined.get(node.id) if isinstance(node, ast.Name) else None


def _copy(node: Defined, name: str, decorators: list[ast.expr]) -> Defined:
    made = type(node).__new__(type(node))
    made.__dict__.update(node.__dict__)
    made.name, made.decorator_list = name, decorators
    return made


def _property(name: str, call: ast.Call, defined: Mapping[str, Defined]) -> list[Defined]:
    given = dict(zip(_WORDS, call.args, strict=False))
    given |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    found: list[Defined] = []
    for word, accessor in _WORDS.items():
        node = given.get(word)
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            if word == "fget":
                return []  # nothing to start from
            continue
        subject = _subject(node, defined)
        if subject is None or isinstance(subject, ast.ClassDef):
            return []
        decorator = ast.Attribute(value=ast.Name(id=name, ctx=ast.Load()), attr=accessor, ctx=ast.Load())
        found.append(_copy(subject, name, [call.func if word == "fget" else decorator]))
    return found
