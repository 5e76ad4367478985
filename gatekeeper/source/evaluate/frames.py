"""Where names live while a source is evaluated, and how evaluation ends early."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import Binding, Class, Function, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.evaluate.values import Module, Value


class Undecided(Exception):
    """Evaluation cannot go on: what happens next depends on something that is not known."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Exhausted(Undecided):
    """Too many steps or calls within calls: what called has no more of them than what was called."""


class Raised(Exception):
    """The source certainly raises here; ``kind`` is the name of the exception, ``value`` what is raised."""

    def __init__(self, kind: str, value: Value = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class Lazy(Binding):
    """A binding whose value is found when it is first asked for: an import of a source that may never matter."""

    __slots__ = ("_found", "_make", "origin")

    def __init__(self, make: Callable[[], Value], conditions: tuple[str, ...], line: int, origin: str) -> None:
        self._make: Callable[[], Value] | None = make
        self._found: Value = None
        self.conditions = conditions
        self.line = line
        self.origin = origin

    @property
    def pending(self) -> bool:
        """Whether nobody has asked yet."""
        return self._make is not None

    @property
    def value(self) -> Value:  # type: ignore[override]
        """What was imported; Unknown while it is being found, as in a circular import."""
        if self._make is not None:
            make, self._make = self._make, None
            self._found = Unknown(f"{self.origin} is imported in a circle")
            found = make()
            self._found = Unknown(f"bound under {self.conditions[0]}") if self._hidden(found) else found
        return self._found

    def _hidden(self, found: Value) -> bool:
        return bool(self.conditions) and not isinstance(found, Function | Class)


class Frame:
    """One scope: ``names`` holds bindings in a module or class, plain values in a function or comprehension.

    ``up`` is the next scope outwards, without classes, as name lookup has it. ``maybe`` are the conditions in force.
    """

    __slots__ = ("globals", "maybe", "module", "names", "nonlocals", "plain", "qualname", "up", "yielded")

    def __init__(
        self,
        module: Module,
        names: dict[str, Any],
        up: Frame | None,
        maybe: list[str],
        *,
        plain: bool,
        qualname: str = "",
    ) -> None:
        self.module = module
        self.names = names
        self.up = up
        self.maybe = maybe
        self.plain = plain
        self.qualname = qualname
        self.globals: frozenset[str] = frozenset()
        self.nonlocals: frozenset[str] = frozenset()
        self.yielded: list[Value] | None = None

    def find(self, name: str) -> Value:
        """The value of a name; raises KeyError where no scope of the source binds it."""
        if name in self.globals:
            return self.module.namespace[name].value
        frame: Frame | None = self
        while frame is not None:
            found = frame.names.get(name, _NOTHING)
            if found is not _NOTHING:
                return found if frame.plain else found.value
            frame = frame.up
        raise KeyError(name)

    def bind(self, name: str, value: Value, line: int = 0) -> None:
        """Bind a name in this scope, or in the one that a ``global`` or ``nonlocal`` names."""
        if name in self.globals:
            _bind(self.module.namespace, name, value, line, self.maybe)
        elif name in self.nonlocals:
            frame = self.up
            while frame is not None and name not in frame.names:
                frame = frame.up
            if frame is not None:
                frame.bind(name, value, line)
        elif self.plain:
            self.names[name] = value
        else:
            _bind(self.names, name, value, line, self.maybe)

    def bind_lazy(self, name: str, make: Callable[[], Value], line: int, origin: str) -> None:
        """Bind what is found by ``make``: at once in a function, when it is asked for elsewhere."""
        if self.plain:
            self.names[name] = make()
            return
        old = self.names.get(name)
        if self.maybe and old is not None:
            self.bind(name, make(), line)
        else:
            self.names[name] = Lazy(make, tuple(self.maybe), line, origin)

    def unbind(self, name: str) -> None:
        """``del name``; under a condition the name may still be there."""
        if self.plain or not self.maybe:
            self.names.pop(name, None)
        elif name in self.names:
            self.bind(name, Unknown(f"deleted under {self.maybe[-1]}"))


class _Nothing:
    value = None


_NOTHING = _Nothing()


def _bind(names: dict[str, Binding], name: str, value: Value, line: int, maybe: list[str]) -> None:
    if not maybe:
        names[name] = Binding(value, (), line)
        return
    old = names.get(name)
    conditions = tuple(maybe)
    if not isinstance(value, Function | Class):
        value = Unknown(f"bound under {maybe[-1]}")
    if old is not None:
        before = old.value
        if isinstance(before, Function) and isinstance(value, Function) and before.node is not value.node:
            value.wrappers = (*value.wrappers, Unknown(f"defined otherwise unless {maybe[-1]}"))
        # a function that something else may have replaced is there only under the opposite condition
        certain = not old.conditions and type(before) is type(value)
        conditions = () if certain else tuple(dict.fromkeys((*old.conditions, *maybe)))
        if isinstance(before, Function | Class) and isinstance(value, Unknown):
            value = before
    names[name] = Binding(value, conditions, line)
