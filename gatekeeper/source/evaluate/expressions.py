"""Expressions, each translated once into a function of a frame.

A comprehension that makes sixty thousand parameter sets runs the same few expressions as often: what a node is gets
decided once, and not at every turn.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import bounded, is_key
from gatekeeper.source.evaluate.frames import Frame, Undecided
from gatekeeper.source.evaluate.operators import compare, truth, unary
from gatekeeper.source.evaluate.targets import store
from gatekeeper.source.evaluate.values import External, Generator, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

    Run = Callable[[Frame], Value]

_UNKNOWN = Unknown("an expression that is not followed")


class Expressions:
    """Translates the expressions of one interpreter."""

    def __init__(self, world: Interpreter) -> None:
        self._world = world
        self._runs: dict[ast.expr, Run] = {}

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression in a frame.

        Raises:
            Raised: it certainly raises. Undecided: what it does depends on what is not known.
        """
        run = self._runs.get(node)
        if run is None:
            run = self._runs[node] = self.translate(node)
        return run(frame)

    def translate(self, node: ast.expr) -> Run:
        """The function that evaluates a node."""
        make = _MAKERS.get(type(node))
        return (lambda frame: _UNKNOWN) if make is None else make(self, node)

    def _constant(self, node: ast.Constant) -> Run:
        value = node.value
        return lambda frame: value

    def _name(self, node: ast.Name) -> Run:
        name, world = node.id, self._world

        def run(frame: Frame) -> Value:
            try:
                # the loop variable of a comprehension, or the parameter of a function: most names are one
                value = frame.names[name] if frame.plain and name not in frame.globals else frame.find(name)
            except KeyError:
                try:
                    value = frame.find(name)
                except KeyError:
                    return world.missing(name, frame.module)
            return world.sound(value) if world.poisoned else value

        return run

    def _attribute(self, node: ast.Attribute) -> Run:
        owner, name, world = self.translate(node.value), node.attr, self._world
        return lambda frame: world.member(owner(frame), name)

    def _tuple(self, node: ast.Tuple) -> Run:
        items = self._sequence(node.elts)
        return lambda frame: _known(items(frame), tuple)

    def _list(self, node: ast.List) -> Run:
        items = self._sequence(node.elts)
        return lambda frame: _known(items(frame), list)

    def _set(self, node: ast.Set) -> Run:
        items = self._sequence(node.elts)

        def run(frame: Frame) -> Value:
            found = items(frame)
            return set(found) if isinstance(found, list) and all(map(is_key, found)) else Unknown("a set of unknowns")

        return run

    def _sequence(self, nodes: Sequence[ast.expr]) -> Callable[[Frame], list[Value] | Unknown]:
        """The values of some expressions, starred ones spread."""
        if not any(isinstance(one, ast.Starred) for one in nodes):
            runs = [self.translate(one) for one in nodes]
            return lambda frame: [run(frame) for run in runs]
        parts = [
            (isinstance(one, ast.Starred), self.translate(one.value if isinstance(one, ast.Starred) else one))
            for one in nodes
        ]
        world = self._world

        def spread(frame: Frame) -> list[Value] | Unknown:
            found: list[Value] = []
            for starred, run in parts:
                value = run(frame)
                if starred:
                    inner = world.items(value)
                    if isinstance(inner, Unknown):
                        return inner
                    found.extend(inner)
                else:
                    found.append(value)
            return found

        return spread

    def _dict(self, node: ast.Dict) -> Run:
        parts = [
            (None if key is None else self.translate(key), self.translate(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]

        def run(frame: Frame) -> Value:
            found: dict[Value, Value] = {}
            known = True
            for key, value in parts:
                # The key comes first, and all are evaluated whatever one of them is: each may change something.
                name = None if key is None else key(frame)
                said = value(frame)
                if key is None and isinstance(said, dict):
                    found.update(said)
                elif key is None or not is_key(name):
                    known = False
                else:
                    found[name] = said
            return found if known else Unknown("a dict of unknown keys")

        return run

    def _binary(self, node: ast.BinOp) -> Run:
        left, right, kind = self.translate(node.left), self.translate(node.right), type(node.op)
        world = self._world

        def run(frame: Frame) -> Value:
            one, other = left(frame), right(frame)
            return world.operate(kind, one, other)

        return run

    def _unary(self, node: ast.UnaryOp) -> Run:
        operand, kind = self.translate(node.operand), type(node.op)
        if kind is ast.Not:

            def negate(frame: Frame) -> Value:
                said = truth(operand(frame))
                return _UNKNOWN if said is None else not said

            return negate
        return lambda frame: unary(kind, operand(frame))

    def _boolean(self, node: ast.BoolOp) -> Run:
        runs, stops = [self.translate(one) for one in node.values], isinstance(node.op, ast.Or)

        def run(frame: Frame) -> Value:
            value: Value = None
            for one in runs:
                value = one(frame)
                said = truth(value)
                if said is None:
                    return _UNKNOWN
                if said is stops:
                    return value
            return value

        return run

    def _compare(self, node: ast.Compare) -> Run:
        first = self.translate(node.left)
        rest = [(type(op), self.translate(one)) for op, one in zip(node.ops, node.comparators, strict=True)]

        def run(frame: Frame) -> Value:
            left = first(frame)
            found: Value = True
            for kind, one in rest:
                right = one(frame)
                found = compare(kind, left, right)
                if found is not True:
                    return found
                left = right
            return found

        return run

    def _conditional(self, node: ast.IfExp) -> Run:
        test, body, other = self.translate(node.test), self.translate(node.body), self.translate(node.orelse)

        def run(frame: Frame) -> Value:
            said = truth(test(frame))
            return _UNKNOWN if said is None else body(frame) if said else other(frame)

        return run

    def _call(self, node: ast.Call) -> Run:
        callee, args, world, line = self.translate(node.func), self._sequence(node.args), self._world, node.lineno
        named = [(word.arg, self.translate(word.value)) for word in node.keywords]

        def run(frame: Frame) -> Value:
            function, given = callee(frame), args(frame)
            kwargs: dict[str, Value] = {}
            for name, value in named:
                said = value(frame)
                if name is not None:
                    kwargs[name] = said
                elif isinstance(said, dict) and all(type(key) is str for key in said):
                    kwargs.update(said)
                else:
                    given = Unknown("called with unknown keywords")
            if isinstance(given, Unknown):
                return world.call_blindly(function, kwargs.values())
            return world.apply(function, given, kwargs, frame, line)

        return run

    def _lambda(self, node: ast.Lambda) -> Run:
        world = self._world
        return lambda frame: world.function(node, frame)

    def _subscript(self, node: ast.Subscript) -> Run:
        owner, key, world = self.translate(node.value), self.translate(node.slice), self._world
        return lambda frame: world.subscript(owner(frame), key(frame))

    def _slice(self, node: ast.Slice) -> Run:
        parts = [None if one is None else self.translate(one) for one in (node.lower, node.upper, node.step)]

        def run(frame: Frame) -> Value:
            found = [None if one is None else one(frame) for one in parts]
            return slice(*found) if all(one is None or type(one) is int for one in found) else _UNKNOWN

        return run

    def _joined(self, node: ast.JoinedStr) -> Run:
        runs = [self.translate(one) for one in node.values]

        def run(frame: Frame) -> Value:
            parts = [one(frame) for one in runs]
            return bounded("".join(parts)) if all(type(one) is str for one in parts) else _UNKNOWN  # type: ignore[arg-type]

        return run

    def _formatted(self, node: ast.FormattedValue) -> Run:
        value, world = self.translate(node.value), self._world
        form = None if node.format_spec is None else self.translate(node.format_spec)
        convert = {115: "str", 114: "repr", 97: "ascii"}.get(node.conversion)

        def run(frame: Frame) -> Value:
            said, spec = value(frame), "" if form is None else form(frame)
            if convert is not None:
                said = world.apply(External(f"builtins.{convert}"), [said], {}, frame, node.lineno)
            if type(said) is str and not spec:
                return said
            return world.apply(External("builtins.format"), [said, spec], {}, frame, node.lineno)

        return run

    def _named(self, node: ast.NamedExpr) -> Run:
        value, name = self.translate(node.value), node.target.id

        def run(frame: Frame) -> Value:
            said = value(frame)
            home = frame
            while home.plain and home.qualname == _COMPREHENSION and home.up is not None:
                home = home.up
            home.bind(name, said, node.lineno)
            return said

        return run

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Run:
        first = self.translate(node.generators[0].iter)
        loops = [self._loop(one, outer=number == 0) for number, one in enumerate(node.generators)]
        if isinstance(node, ast.DictComp):
            key, value = self.translate(node.key), self.translate(node.value)

            def pair(frame: Frame) -> Value:
                return key(frame), value(frame)

            yields: Run = pair
        else:
            yields = self.translate(node.elt)
        finish, world = _FINISH[type(node)], self._world

        def run(frame: Frame) -> Value:
            outermost = world.items(first(frame))
            if isinstance(outermost, Unknown):
                return finish(outermost)
            up = frame if frame.plain or frame.names is frame.module.namespace else frame.up
            inner = Frame(frame.module, {}, up, frame.maybe, plain=True, qualname=_COMPREHENSION)
            found: list[Value] = []
            try:
                _run_loops(loops, 0, outermost, inner, yields, found, world)
            except Undecided as why:
                return finish(Unknown(why.reason))
            return finish(found)

        return run

    def _loop(self, node: ast.comprehension, *, outer: bool) -> _Loop:
        target = node.target.id if isinstance(node.target, ast.Name) else node.target
        tests = [self.translate(one) for one in node.ifs]
        return _Loop(target, None if outer else self.translate(node.iter), tests)

    def _starred(self, node: ast.Starred) -> Run:
        world, value = self._world, self.translate(node.value)

        def run(frame: Frame) -> Value:
            found = world.items(value(frame))
            return found if isinstance(found, Unknown) else tuple(found)

        return run

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> Run:
        value = (lambda frame: None) if node.value is None else self.translate(node.value)
        world, spread = self._world, isinstance(node, ast.YieldFrom)

        def run(frame: Frame) -> Value:
            if frame.yielded is None:
                raise Undecided("a yield outside a function")
            said = value(frame)
            if spread:
                inner = world.items(said)
                if isinstance(inner, Unknown):
                    raise Undecided(inner.reason)
                frame.yielded.extend(inner)
            else:
                frame.yielded.append(said)
            world.tick()
            return None

        return run


_COMPREHENSION = "<comprehension>"


class _Loop:
    """One ``for`` of a comprehension."""

    __slots__ = ("iter", "target", "tests")

    def __init__(self, target: str | ast.expr, iterable: Run | None, tests: list[Run]) -> None:
        self.target = target
        self.iter = iterable
        self.tests = tests


def _run_loops(
    loops: list[_Loop],
    depth: int,
    items: list[Value],
    frame: Frame,
    yields: Run,
    found: list[Value],
    world: Interpreter,
) -> None:
    loop, last = loops[depth], depth + 1 == len(loops)
    target, tests, names = loop.target, loop.tests, frame.names
    for item in items:
        world.tick()
        if type(target) is str:
            names[target] = item
        else:
            store(world, target, item, frame)  # type: ignore[arg-type]
        for test in tests:
            said = truth(test(frame))
            if said is None:
                raise Undecided("a comprehension that filters by something that is not known")
            if not said:
                break
        else:
            if last:
                found.append(yields(frame))
                continue
            deeper = loops[depth + 1]
            inner = world.items(deeper.iter(frame))  # type: ignore[misc]
            if isinstance(inner, Unknown):
                raise Undecided(inner.reason)
            _run_loops(loops, depth + 1, inner, frame, yields, found, world)


def _known(items: list[Value] | Unknown, kind: type) -> Value:
    return items if isinstance(items, Unknown) or kind is list else kind(items)


def _as_set(items: list[Value] | Unknown) -> Value:
    if isinstance(items, Unknown):
        return items
    return set(items) if all(map(is_key, items)) else Unknown("a set of unknowns")


def _as_dict(items: list[Value] | Unknown) -> Value:
    if isinstance(items, Unknown):
        return items
    pairs: list[tuple[Value, Value]] = items  # type: ignore[assignment]
    return dict(pairs) if all(is_key(key) for key, _ in pairs) else Unknown("a dict of unknown keys")


_FINISH: dict[type, Callable[[list[Value] | Unknown], Value]] = {
    ast.ListComp: lambda items: items,
    ast.GeneratorExp: lambda items: Generator("<genexpr>", items),
    ast.SetComp: _as_set,
    ast.DictComp: _as_dict,
}
_MAKERS: dict[type, Callable[..., Run]] = {
    ast.Constant: Expressions._constant,
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Tuple: Expressions._tuple,
    ast.List: Expressions._list,
    ast.Set: Expressions._set,
    ast.Dict: Expressions._dict,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._compare,
    ast.IfExp: Expressions._conditional,
    ast.Call: Expressions._call,
    ast.Lambda: Expressions._lambda,
    ast.Subscript: Expressions._subscript,
    ast.Slice: Expressions._slice,
    ast.JoinedStr: Expressions._joined,
    ast.FormattedValue: Expressions._formatted,
    ast.NamedExpr: Expressions._named,
    ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.DictComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.Starred: Expressions._starred,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield,
}
