"""What evaluation yields: Python values that are what they are, and stand-ins for everything else.

A value is a real object when it is None, a bool, number, text, bytes, ``...``, a list, tuple, dict, set, frozenset,
range or ``re.Pattern`` of values, or an immutable of the standard library (Decimal, Fraction, date, datetime, time,
timedelta, UUID, PurePosixPath). Everything else is one of the classes below. What cannot be known is :class:`Unknown`
with the reason, and whatever is made of it is unknown too: nothing is guessed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

Value = object
"""Any of the above: text for readers, since the type checker cannot hold it tighter."""

ROOT = "/\ue0f0tree\ue0f0"
"""Stands for the directory that the tree is checked out to: a text that holds it is not known."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that static reading does not know; ``reason`` says why, in words for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the tree, by its full dotted name: ``numpy.array``, ``unittest.TestCase``.

    A name of the standard library counts as known to exist, and so do builtins (``builtins.int``).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A value whose kind is known though its content is not, such as an instance that has no ``__name__``.

    ``kind`` is the dotted name of its type. pytest makes an id of the argument's name and index of it.
    """

    kind: str


@dataclass(eq=False, slots=True)
class Binding:
    """What a name is bound to last: the value, under which conditions it is bound at all, and where.

    ``conditions`` are the tests that could not be decided (``importorskip numpy``, ``import numpy``, ``if X``); a value
    that is bound under some is Unknown unless it is a function or class.
    """

    value: Value
    conditions: tuple[str, ...] = ()
    line: int = 0


@dataclass(eq=False, slots=True, repr=False)
class Module:
    """One source of the tree, executed statement by statement without running it.

    ``namespace`` is in the order of first bindings with the last values, as in ``__dict__``. ``conditions`` hold for
    the whole module (a third-party import at its top level, ``importorskip``). ``error`` says why it cannot be imported
    (a syntax error, a first-party name that is not there, an unconditional ``pytest.skip``), None where it can.
    """

    name: str
    path: str
    tree: ast.Module
    namespace: dict[str, Binding] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    error: str | None = None
    wildcards: tuple[str, ...] = ()
    """Modules outside the tree (or unreadable) of which everything is imported: any other name may come from them."""

    def __repr__(self) -> str:
        return f"<module {self.name}>"


@dataclass(eq=False, slots=True, repr=False)
class Function:
    """A function or lambda of the tree.

    ``marks`` in the order in which pytest stores them (the decorator nearest to ``def`` first); ``decorators`` are the
    values of all decorators, outermost first, and ``wrappers`` those of them that are neither marks nor known to
    hand the function back unchanged. ``flavour`` is ``plain``, ``static``, ``class`` or ``property``.
    """

    node: Definition
    module: Module
    qualname: str
    closure: tuple[dict[str, Binding], ...] = ()
    marks: list[Mark] = field(default_factory=list)
    decorators: tuple[Value, ...] = ()
    wrappers: tuple[Value, ...] = ()
    defaults: tuple[Value, ...] = ()
    flavour: str = "plain"
    attributes: dict[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """``__name__``."""
        return self.qualname.rpartition(".")[2]

    def __repr__(self) -> str:
        return f"<function {self.qualname}>"


@dataclass(eq=False, slots=True, repr=False)
class Class:
    """A class of the tree; ``bases`` and ``keywords`` (``metaclass=``) as values, ``namespace`` as for a module."""

    node: ast.ClassDef
    module: Module
    qualname: str
    bases: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    namespace: dict[str, Binding] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    decorators: tuple[Value, ...] = ()
    wrappers: tuple[Value, ...] = ()

    @property
    def name(self) -> str:
        """``__name__``."""
        return self.qualname.rpartition(".")[2]

    def __repr__(self) -> str:
        return f"<class {self.qualname}>"


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the tree (or of ``Unknown`` kind of it), with what is known of its attributes."""

    kind: Class
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Member:
    """A member of an Enum of the tree."""

    kind: Class
    name: str
    value: Value


@dataclass(eq=False, slots=True)
class Method:
    """A function taken from an instance or class: its first argument is given."""

    function: Function
    first: Value


@dataclass(eq=False, slots=True)
class Partial:
    """``functools.partial`` of something."""

    function: Value
    args: tuple[Value, ...]
    kwargs: dict[str, Value]


@dataclass(eq=False, slots=True)
class Generator:
    """A generator that nobody has run: its ``__name__`` is that of its function, or ``<genexpr>``.

    ``items`` are what it would yield, or Unknown.
    """

    name: str
    items: list[Value] | Unknown


@dataclass(eq=False, slots=True)
class Mark:
    """``pytest.mark.NAME(*args, **kwargs)``; ``called`` is False for the bare ``pytest.mark.NAME``."""

    name: str
    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)
    called: bool = True
    line: int = 0


@dataclass(eq=False, slots=True)
class Param:
    """``pytest.param(*values, marks=, id=)``."""

    values: tuple[Value, ...]
    marks: tuple[Value, ...] = ()
    id: Value = None


@dataclass(eq=False, slots=True)
class Fixture:
    """A function under ``@pytest.fixture`` (or a plugin's like): ``params`` None where it has none."""

    function: Function
    params: Value = None
    ids: Value = None
    scope: Value = "function"
    autouse: Value = False
    name: Value = None
    made_by: str = "pytest.fixture"
