"""Statements: a body is executed in order, both ways where a test cannot be decided."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.evaluate.concrete import MUTABLE, bounded, is_concrete, is_key
from gatekeeper.source.evaluate.frames import Frame, Raised, Undecided
from gatekeeper.source.evaluate.imports import import_from, import_names
from gatekeeper.source.evaluate.matching import match
from gatekeeper.source.evaluate.operators import truth
from gatekeeper.source.evaluate.targets import store
from gatekeeper.source.evaluate.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value


class Returned(NamedTuple):
    """The end of a function, and what it gives back."""

    value: Value


BREAK, CONTINUE = "break", "continue"
Signal = str | Returned | None
"""How a statement ends: None to go on with the next one."""


class Statements:
    """Executes the statements of one interpreter."""

    def __init__(self, world: Interpreter) -> None:
        self._world = world

    def execute(self, body: Sequence[ast.stmt], frame: Frame) -> Signal:
        """Execute statements one after the other.

        Raises:
            Raised: one certainly raises. Undecided: in a function, what happens next is not known.
        """
        for node in body:
            self._world.tick()
            run = _RUNS.get(type(node))
            if run is None:
                continue
            signal = run(self, node, frame)
            if signal is not None:
                return signal
        return None

    def tolerant(self, body: Sequence[ast.stmt], frame: Frame) -> Signal:
        """Execute a module's or class's body: what a statement does that is not followed makes its names unknown."""
        for node in body:
            try:
                signal = self.execute((node,), frame)
            except Undecided as why:
                self._spoil(node, frame, why.reason)
            except Raised as why:
                self._world.failed(why, node, frame)
                self._spoil(node, frame, f"raises {why.kind}")
            except RecursionError:
                self._spoil(node, frame, "nested too deep")
            else:
                if signal is not None:
                    return signal
        return None

    def _body(self, body: Sequence[ast.stmt], frame: Frame) -> Signal:
        return self.execute(body, frame) if frame.plain else self.tolerant(body, frame)

    def _spoil(self, node: ast.stmt, frame: Frame, reason: str) -> None:
        """Make unknown what a statement binds or may have changed."""
        for name in self._world.reader.words(node).bound:
            frame.bind(name, Unknown(reason), node.lineno)
        for name in self._world.reader.words(node).used:
            try:
                self._world.poison(frame.find(name), reason)
            except KeyError:
                continue

    def _expression(self, node: ast.Expr, frame: Frame) -> Signal:
        if not isinstance(node.value, ast.Constant):
            self._world.evaluate(node.value, frame)
        return None

    def _assign(self, node: ast.Assign, frame: Frame) -> Signal:
        value = self._value(node.value, frame)
        for target in node.targets:
            store(self._world, target, value, frame)
        return None

    def _value(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression; outside functions one that is not followed is unknown."""
        if frame.plain:
            return self._world.evaluate(node, frame)
        try:
            return self._world.evaluate(node, frame)
        except Undecided as why:
            return Unknown(why.reason)
        except Raised as why:
            return Unknown(f"raises {why.kind}")

    def _annotated(self, node: ast.AnnAssign, frame: Frame) -> Signal:
        if node.value is not None:
            store(self._world, node.target, self._value(node.value, frame), frame)
        return None

    def _augmented(self, node: ast.AugAssign, frame: Frame) -> Signal:
        world = self._world
        load = _as_load(node.target)
        old, more = self._value(load, frame), self._value(node.value, frame)
        if isinstance(old, MUTABLE):
            # in place: every other name of the object sees it
            if frame.maybe or id(old) in world.kept:
                world.poison(old, "changed under a condition that is not known")
            elif isinstance(old, list) and isinstance(node.op, ast.Add):
                items = world.items(more)
                if isinstance(items, Unknown) or not isinstance(bounded([*old, *items]), list):
                    world.poison(old, "grows by something that is not known")
                else:
                    old.extend(items)
            elif isinstance(old, dict | set) and isinstance(node.op, ast.BitOr) and type(more) is type(old):
                old.update(more)
            else:
                world.poison(old, "changed in a way that is not followed")
            return None
        try:
            value = world.operate(type(node.op), old, more)
        except Raised:
            if frame.plain:
                raise
            value = Unknown("an operation that raises")
        store(world, node.target, value, frame)
        return None

    def _delete(self, node: ast.Delete, frame: Frame) -> Signal:
        for target in node.targets:
            if isinstance(target, ast.Name):
                frame.unbind(target.id)
            elif isinstance(target, ast.Subscript):
                owner, key = self._world.evaluate(target.value, frame), self._world.evaluate(target.slice, frame)
                if isinstance(owner, dict) and is_key(key) and not frame.maybe and id(owner) not in self._world.kept:
                    owner.pop(key, None)
                else:
                    self._world.poison(owner, "loses an item")
            elif isinstance(target, ast.Attribute):
                store(self._world, target, Unknown("deleted"), frame)
        return None

    def _if(self, node: ast.If, frame: Frame) -> Signal:
        said = truth(self._value(node.test, frame))
        if said is not None:
            return self._body(node.body if said else node.orelse, frame)
        if frame.plain:
            raise Undecided("a branch that depends on something that is not known")
        return self._both(f"if {self._world.text(node.test, frame)}", [node.body, node.orelse], frame)

    def _both(self, label: str, bodies: Sequence[Sequence[ast.stmt]], frame: Frame) -> Signal:
        """Execute bodies of which one runs, or none."""
        for number, body in enumerate(bodies):
            if body:
                frame.maybe.append(label if not number else f"not {label}")
                try:
                    self.tolerant(body, frame)
                finally:
                    frame.maybe.pop()
        return None

    def _for(self, node: ast.For, frame: Frame) -> Signal:
        items = self._world.items(self._value(node.iter, frame))
        if isinstance(items, Unknown):
            raise Undecided(f"a loop over something that is not known: {items.reason}")
        for item in list(items):
            self._world.tick()
            store(self._world, node.target, item, frame)
            signal = self._strict(node.body, frame)
            if signal == BREAK:
                return None
            if isinstance(signal, Returned):
                return signal
        return self._strict(node.orelse, frame)

    def _while(self, node: ast.While, frame: Frame) -> Signal:
        while True:
            self._world.tick()
            said = truth(self._value(node.test, frame))
            if said is None:
                raise Undecided("a loop that ends by something that is not known")
            if not said:
                return self._strict(node.orelse, frame)
            signal = self._strict(node.body, frame)
            if signal == BREAK:
                return None
            if isinstance(signal, Returned):
                return signal

    def _strict(self, body: Sequence[ast.stmt], frame: Frame) -> Signal:
        """A body of a loop: an undecided branch in it leaves open what the next turn does, and so everything."""
        if frame.plain or not _may_end(body):
            return self._body(body, frame)
        if any(isinstance(one, ast.If) and _may_end([one]) for one in body):
            for one in body:
                if isinstance(one, ast.If) and truth(self._value(one.test, frame)) is None:
                    raise Undecided("a loop that ends by something that is not known")
                signal = self._body((one,), frame)
                if signal is not None:
                    return signal
            return None
        return self._body(body, frame)

    def _with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> Signal:
        for item in node.items:
            value = self._value(item.context_expr, frame)
            if item.optional_vars is not None:
                store(self._world, item.optional_vars, self._world.entered(value), frame)
        return self._body(node.body, frame)

    def _try(self, node: ast.Try, frame: Frame) -> Signal:
        signal = self._guarded(node, frame)
        final = self._body(node.finalbody, frame)
        return signal if final is None else final

    def _guarded(self, node: ast.Try, frame: Frame) -> Signal:
        world = self._world
        doubts = [] if frame.plain or not node.handlers else world.doubts(node.body, frame)
        if doubts:
            # what follows the first doubtful statement, and what is done about it, may each happen
            start, label = doubts[0]
            signal = self.tolerant(node.body[:start], frame)
            if signal is not None:
                return signal
            return self._both(label, [[*node.body[start:], *node.orelse], _handled(node)], frame)
        try:
            signal = self.execute(node.body, frame)
        except Raised as why:
            for handler in node.handlers:
                if world.handles(handler, why.kind, frame):
                    if handler.name:
                        frame.bind(handler.name, Unknown("an exception"), handler.lineno)
                    return self._body(handler.body, frame)
            raise
        return self._body(node.orelse, frame) if signal is None else signal

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> Signal:
        frame.bind(node.name, self._world.defined(node, frame), node.lineno)
        return None

    def _class(self, node: ast.ClassDef, frame: Frame) -> Signal:
        frame.bind(node.name, self._world.class_defined(node, frame), node.lineno)
        return None

    def _return(self, node: ast.Return, frame: Frame) -> Signal:
        return Returned(None if node.value is None else self._world.evaluate(node.value, frame))

    def _raise(self, node: ast.Raise, frame: Frame) -> Signal:
        value = None if node.exc is None else self._value(node.exc, frame)
        if not frame.plain and frame.maybe:
            return None
        raise Raised(self._world.kind_of(value), value)

    def _assert(self, node: ast.Assert, frame: Frame) -> Signal:
        said = truth(self._value(node.test, frame))
        if said is False and not frame.maybe:
            raise Raised("AssertionError")
        return None

    def _global(self, node: ast.Global, frame: Frame) -> Signal:
        frame.globals |= frozenset(node.names)
        return None

    def _nonlocal(self, node: ast.Nonlocal, frame: Frame) -> Signal:
        frame.nonlocals |= frozenset(node.names)
        return None

    def _import(self, node: ast.Import, frame: Frame) -> Signal:
        import_names(self._world, node, frame)
        return None

    def _import_from(self, node: ast.ImportFrom, frame: Frame) -> Signal:
        import_from(self._world, node, frame)
        return None

    def _match(self, node: ast.Match, frame: Frame) -> Signal:
        subject = self._value(node.subject, frame)
        if not is_concrete(subject):
            if frame.plain:
                raise Undecided("a match of something that is not known")
            return self._both("match", [case.body for case in node.cases], frame)
        for case in node.cases:
            if match(self._world, case.pattern, subject, frame):
                said = True if case.guard is None else truth(self._value(case.guard, frame))
                if said is None:
                    raise Undecided("a case that depends on something that is not known")
                if said:
                    return self._body(case.body, frame)
        return None

    def _break(self, node: ast.Break, frame: Frame) -> Signal:
        return BREAK

    def _continue(self, node: ast.Continue, frame: Frame) -> Signal:
        return CONTINUE


def _handled(node: ast.Try) -> list[ast.stmt]:
    return [statement for handler in node.handlers for statement in handler.body]


def _may_end(body: Sequence[ast.stmt]) -> bool:
    """Whether a body may end the turn or the loop early."""
    return any(isinstance(one, ast.Break | ast.Continue | ast.Return) for node in body for one in ast.walk(node))


def _as_load(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as the expression that is read first."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


_RUNS: dict[type, Callable[..., Signal]] = {
    ast.Expr: Statements._expression,
    ast.Assign: Statements._assign,
    ast.AnnAssign: Statements._annotated,
    ast.AugAssign: Statements._augmented,
    ast.Delete: Statements._delete,
    ast.If: Statements._if,
    ast.For: Statements._for,
    ast.While: Statements._while,
    ast.With: Statements._with,
    ast.AsyncWith: Statements._with,
    ast.Try: Statements._try,
    ast.TryStar: Statements._try,
    ast.FunctionDef: Statements._function,
    ast.AsyncFunctionDef: Statements._function,
    ast.ClassDef: Statements._class,
    ast.Return: Statements._return,
    ast.Raise: Statements._raise,
    ast.Assert: Statements._assert,
    ast.Global: Statements._global,
    ast.Nonlocal: Statements._nonlocal,
    ast.Import: Statements._import,
    ast.ImportFrom: Statements._import_from,
    ast.Match: Statements._match,
    ast.Break: Statements._break,
    ast.Continue: Statements._continue,
}
