"""What the collection of one module stands on: the module, what surrounds it, the settings in force.

Who walks the tree makes a :class:`Scope` for every file and asks ``collection.modules.collect_module(scope)``, which
gives a :class:`Gathered`. Hooks that decide on files (``pytest_ignore_collect``, ``pytest_collect_*``,
``pytest_pycollect_makemodule``) or on the whole session (``pytest_collection_modifyitems``) are the walker's; those
that decide on functions (``pytest_pycollect_makeitem``, ``pytest_generate_tests``, ``pytest_make_parametrize_id``,
``pytest_itemcollected``) in the module, its classes, ``conftests`` and ``plugins`` are seen to here.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from gatekeeper.source.collection.items import Found, Trouble
    from gatekeeper.source.collection.memory import Memory
    from gatekeeper.source.evaluate.values import Binding, Class, Mark, Module, Unknown, Value
    from gatekeeper.source.files import Files

    Rows = tuple[tuple[Mark, ...], ...]
else:
    Protocol = object


class Evaluator(Protocol):
    """What the collector asks of the interpreter; nothing of it raises for what a source does."""

    files: Files

    def find(self, name: str, importer: Module | None) -> str | None:
        """The path of the source that a full dotted name means; None outside the tree."""

    def attribute(self, value: Value, name: str) -> Value:
        """``value.name``."""

    def call(self, value: Value, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
        """``value(*args, **kwargs)``."""

    def items(self, value: Value) -> list[Value] | Unknown:
        """What iterating over ``value`` gives."""

    def truth(self, value: Value) -> bool | None:
        """``bool(value)``, None where it is not known."""

    def mro(self, cls: Class) -> tuple[Value, ...]:
        """The classes of ``cls.__mro__``, itself first: Class, External or Unknown."""

    def lookup(self, cls: Class, name: str) -> Binding | None:
        """What ``cls.name`` is bound to over the classes of the tree in its MRO."""


class Settings(NamedTuple):
    """The effective configuration, as far as it decides on functions and ids; the defaults are pytest's own.

    ``pytest`` and ``python`` are versions, major and minor. ``plugins`` are the distributions installed and not
    blocked (``anyio``, ``pytest-asyncio``, ``hypothesis``), ``blocked`` what ``-p no:NAME`` names. ``strict_ids`` is
    ``strict_parametrization_ids`` or ``strict``; ``long_ids`` the ``parametrize_long_str_id_strategy``; ``empty_sets``
    the ``empty_parameter_set_mark``; ``raw_ids`` the option that forfeits the escaping of ids; ``anyio_auto``
    the anyio plugin's mode in which every coroutine is its test.
    """

    pytest: tuple[int, int] = (9, 2)
    python: tuple[int, int] = (3, 11)
    python_classes: tuple[str, ...] = ("Test",)
    python_functions: tuple[str, ...] = ("test",)
    usefixtures: tuple[str, ...] = ()
    collect_imported_tests: bool = True
    strict_ids: bool = False
    long_ids: str = "short"
    empty_sets: str = "skip"
    raw_ids: bool = False
    plugins: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    anyio_auto: bool = False


class Scope(NamedTuple):
    """One module that pytest collects.

    ``prefix`` is the nodeid of its file. ``conftests`` are the conftest modules that apply to it and ``plugins`` the
    modules of the tree that ``-p`` or ``pytest_plugins`` names, the outermost first. ``opaque`` are plugins that are
    in force and cannot be read: a fixture that nobody defines may come from one of them. ``memory`` keeps what modules
    share (fixtures of conftests, ids of their parameters): one for a session.
    """

    interpreter: Evaluator
    module: Module
    prefix: str
    conftests: tuple[Module, ...] = ()
    plugins: tuple[Module, ...] = ()
    settings: Settings = Settings()
    opaque: tuple[str, ...] = ()
    memory: Memory | None = None


class Gathered(NamedTuple):
    """What one module gives: functions in pytest's order, and what pytest would stop at.

    An error takes the class or module in which it happens out of the collection, as in pytest: what is in ``found``
    is collected even so. ``opaque`` are parts of it of which not even the names can be known.
    """

    found: tuple[Found, ...] = ()
    errors: tuple[Trouble, ...] = ()
    marks: tuple[Rows | None, ...] = ()
    """For each of ``found`` the marks of its items, nearest first: one row that all share, or one for each of its ids
    (``pytest.param(marks=...)`` differs); None where they are not known. ``-k`` and ``-m`` select by them.
    """
    opaque: tuple[Trouble, ...] = ()
