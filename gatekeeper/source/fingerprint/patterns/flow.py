"""Where the assertions of a function stand: reached, never reached, or swallowed."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.locals import FUNCTIONS, own
from gatekeeper.source.fingerprint.patterns.calls import judging_call, special
from gatekeeper.source.fingerprint.patterns.truths import Truths, aliases, is_empty, made_once
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.fingerprint.patterns.found import Pattern, View

LIVE, DEAD, SWALLOWED = "live", "dead", "swallowed"
IF, LOOP = "if", "loop"
_CAUGHT = words(
    "AssertionError Exception BaseException ExceptionGroup BaseExceptionGroup ? pytest.fail.Exception "
    "_pytest.outcomes.Failed"
)
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Site(NamedTuple):
    """One assertion: an ``assert``, or a statement that calls something that asserts; and whether it counts."""

    node: ast.AST
    state: str
    why: str = ""
    under: str = ""
    """``if`` or ``loop`` where it may not be reached at all, else empty."""


class Flow:
    """Walks the statements of one function in order."""

    def __init__(self, view: View, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.view = view = view.inside(function)
        self._sure = ""
        self._inner = 0
        self._returns: list[ast.Return] = []
        self.sites: list[Site] = []
        self.found: list[Pattern] = []
        self.truths = Truths(view, aliases(list(function.body)), made_once(list(function.body)))
        self._function = function
        self._names = {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        self._block(function.body, LIVE, "")
        self._early()

    def _early(self) -> None:
        """A return that stands before an assertion."""
        last = max((int(getattr(site.node, "lineno", 0)) for site in self.sites if site.state == LIVE), default=0)
        for node in self._returns:
            if node.lineno < last:
                self.found.append(self.view.found("early return", "it may leave before it judges", node))

    # --- statements

    def _block(self, body: Sequence[ast.stmt], state: str, why: str) -> bool:
        """Whether the block surely ends early."""
        ended = False
        for statement in body:
            if ended and state == LIVE:
                state, why = DEAD, "what stands before it always leaves"
                self.found.append(self.view.found("cut short", "what stands after that is never reached", statement))
            if self._statement(statement, state, why):
                ended = True
        return ended

    def _statement(  # noqa: C901, PLR0911, PLR0912 (one branch a kind of statement)
        self, node: ast.stmt, state: str, why: str
    ) -> bool:
        if isinstance(node, ast.Assert):
            self.sites.append(Site(node, state, why, self._sure))
            reason = self.truths.always(node.test)
            if reason is not None:
                self.found.append(self._constant(reason, node))
            if node.msg is not None:
                self._expression(node.msg, LIVE, "", judging=False)
            return self.truths.never(node.test)
        if isinstance(node, FUNCTIONS):
            self._nested(node, state, why)
            return False
        if isinstance(node, ast.ClassDef):
            unused = node.name not in self._names and not node.decorator_list and not node.bases
            inside = DEAD if unused and state == LIVE else state
            for inner in node.body:
                if isinstance(inner, ast.ClassDef):
                    continue  # whoever reads the class around it may read this one
                if isinstance(inner, FUNCTIONS):
                    self._inner += 1
                    self._block(inner.body, inside, why or "nobody uses the class around it")
                    self._inner -= 1
                else:
                    self._statement(inner, inside, why or "nobody uses the class around it")
            return False
        if isinstance(node, ast.If):
            return self._if(node, state, why)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node, state, why)
        if isinstance(node, (ast.Try, ast.TryStar)):
            return self._try(node, state, why)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self._with(node, state, why)
        if isinstance(node, ast.Match):
            self._expression(node.subject, state, why)
            for case in node.cases:
                never = isinstance(node.subject, ast.Constant) and _differs(node.subject, case.pattern)
                self._block(case.body, DEAD if never else state, why or "its case never comes")
            return False
        if isinstance(node, ast.Return):
            if node.value is not None:
                self._expression(node.value, state, why)
            if state != DEAD and not self._inner:
                self._returns.append(node)
            return True
        if isinstance(node, ast.Raise):
            self._raise(node, state, why)
            return True
        for part in ast.iter_child_nodes(node):
            self._expression(part, state, why)
        return isinstance(node, _ENDS) or self._exits(node)

    def _exits(self, node: ast.stmt) -> bool:
        """A call that never comes back: skip, exit."""
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            return False
        known = special(self.view, node.value)
        return known is not None and known[0] in ("skip", "exit") and "mark" not in known[1]

    def _raise(self, node: ast.Raise, state: str, why: str) -> None:
        known = special(self.view, node.exc) if node.exc is not None else None
        if known is not None and known[0] in ("skip", "exit"):
            self.found.append(self.view.found(known[0], known[1].replace("()", ""), node))
        elif node.exc is not None:
            self.sites.append(Site(node, state, why, self._sure))

    def _if(self, node: ast.If, state: str, why: str) -> bool:
        self._expression(node.test, state, why)
        sure, self._sure = self._sure, IF
        always = self.truths.always(node.test) is not None
        never = self.truths.never(node.test)
        first = self._block(node.body, DEAD if never and state == LIVE else state, why or "its condition never holds")
        dead = DEAD if always and state == LIVE else state
        second = self._block(node.orelse, dead, why or "its condition always holds")
        self._sure = sure
        return (first and always) or (second and never) or (first and second and bool(node.orelse))

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, state: str, why: str) -> bool:
        over = node.test if isinstance(node, ast.While) else node.iter
        nothing = self.truths.never(over) if isinstance(node, ast.While) else is_empty(over)
        self._expression(over, state, why)
        sure, self._sure = self._sure, self._sure or LOOP
        self._block(node.body, DEAD if nothing and state == LIVE else state, why or "its loop runs over nothing")
        self._sure = sure
        self._block(node.orelse, state, why)
        return False

    def _try(self, node: ast.Try | ast.TryStar, state: str, why: str) -> bool:
        catcher = next((one for one in node.handlers if self._catches(one) and not self._fails(one)), None)
        leaving = next((one for one in node.finalbody if _leaves(one)), None)
        inside = state
        if state == LIVE and catcher is not None:
            inside, why = SWALLOWED, "an except around it takes the error"
        elif state == LIVE and leaving is not None:
            inside, why = SWALLOWED, "the finally after it drops the error"
        ended = self._block(node.body, inside, why)
        for handler in node.handlers:
            self._block(handler.body, state, why)
        self._block(node.orelse, state if leaving is None else inside, why)
        return self._block(node.finalbody, state, why) or (ended and not node.handlers)

    def _with(self, node: ast.With | ast.AsyncWith, state: str, why: str) -> bool:
        inside = state
        for item in node.items:
            self._expression(item.context_expr, state, why)
            reason = self.swallows(item.context_expr)
            if reason and state == LIVE:
                inside, why = SWALLOWED, reason
        # A context may take the error that ends its block, so only what leaves by itself ends more than that.
        ended = self._block(node.body, inside, why)
        return (
            ended
            and inside == state
            and any(isinstance(one, (ast.Return, ast.Continue, ast.Break)) for one in node.body)
        )

    def _nested(self, node: ast.FunctionDef | ast.AsyncFunctionDef, state: str, why: str) -> None:
        uses = [name for name in ast.walk(self._function) if isinstance(name, ast.Name) and name.id == node.name]
        lazy = isinstance(node, ast.AsyncFunctionDef) or any(
            isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own(node.body)
        )
        alone = lazy and all(self._alone(use) for use in uses) and not node.decorator_list
        if not uses and not node.decorator_list:
            state, why = DEAD, "nobody calls the function around it"
        elif alone:
            state, why = DEAD, "nobody runs what the function around it makes"
        self._inner += 1
        self._block(node.body, state, why)
        self._inner -= 1

    def _alone(self, use: ast.Name) -> bool:
        """Whether a name stands in a statement that only calls it, so that a generator of it is thrown away."""
        for node in ast.walk(self._function):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                inner: ast.expr = node.value
                while isinstance(inner, (ast.Call, ast.Attribute)):
                    inner = inner.func if isinstance(inner, ast.Call) else inner.value
                if inner is use:
                    return True
        return False

    def _constant(self, reason: str, node: ast.AST) -> Pattern:
        """An assertion that holds whatever the code does; equality itself is what some tests are about."""
        kind = "reflexive" if "with itself" in reason else "constant"
        return self.view.found(kind, f"an assertion cannot fail: {reason}", node)

    # --- expressions

    def _expression(self, node: ast.AST, state: str, why: str, *, judging: bool = True) -> None:
        stack: list[tuple[ast.AST, str, str]] = [(node, state, why)]
        while stack:
            part, state, why = stack.pop()
            if isinstance(part, ast.Lambda):
                continue
            if isinstance(part, ast.BoolOp):
                for value in part.values:
                    stack.append((value, state, why))
                    stops = self.truths.never(value) if isinstance(part.op, ast.And) else self.truths.always(value)
                    if stops and state == LIVE:
                        state, why = DEAD, "what stands before it decides already"
                continue
            if isinstance(part, ast.Call):
                self._call(part, state, why, judging=judging)
            stack.extend((child, state, why) for child in ast.iter_child_nodes(part))

    def _call(self, node: ast.Call, state: str, why: str, *, judging: bool) -> None:
        known = special(self.view, node)
        if known is not None and state != DEAD:
            self.found.append(self.view.found(known[0], known[1], node))
        if judging and judging_call(self.view, node):
            self.sites.append(Site(node, state, why, self._sure))
            self._unittest(node)

    def _unittest(self, node: ast.Call) -> None:
        """``assertTrue(True)`` and its like."""
        tail = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        reason: str | None = None
        if tail == "assertTrue" and node.args:
            reason = self.truths.always(node.args[0])
        elif tail == "assertFalse" and node.args:
            reason = "it is a constant" if self.truths.never(node.args[0]) else None
        elif tail in ("assertEqual", "assertIs", "assertCountEqual", "assertListEqual") and len(node.args) > 1:
            reason = self.truths.always(ast.Compare(node.args[0], [ast.Eq()], [node.args[1]]))
        elif tail == "assertIsNotNone" and node.args and isinstance(node.args[0], ast.Constant):
            reason = "it is a constant"
        if reason is not None:
            self.found.append(self._constant(reason, node))

    # --- who takes errors

    def _catches(self, handler: ast.ExceptHandler) -> bool:
        """Whether an except takes the error of an assertion."""
        if handler.type is None:
            return True
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return any(self.is_failure(kind) for kind in kinds)

    def is_failure(self, kind: ast.expr) -> bool:
        """Whether a class of exceptions has AssertionError in it, aliases of the source followed."""
        name = self.view.name(kind)
        if name in _CAUGHT or name.endswith(".failureException"):
            return True
        definition = self.view.definition(kind) if name.startswith(".") else None
        value = definition[1].value if definition is not None and isinstance(definition[1], ast.Assign) else None
        if definition is None or value is None:
            return False
        kinds = value.elts if isinstance(value, ast.Tuple) else [value]
        return any(definition[0].name(one) in _CAUGHT for one in kinds)

    def _fails(self, handler: ast.ExceptHandler) -> bool:
        """Whether an except raises, or fails the test in some way."""
        for node in own(handler.body):
            if isinstance(node, ast.Raise):
                known = special(self.view, node.exc) if node.exc is not None else None
                if known is None or known[0] not in ("skip", "exit"):
                    return True
            if isinstance(node, ast.Assert) and self.truths.always(node.test) is None:
                return True
            if isinstance(node, ast.Call) and judging_call(self.view, node):
                return True
        return False

    def swallows(self, context: ast.expr) -> str:
        """Why the errors of assertions do not leave a ``with``, empty if they do."""
        name = self.view.name(context)
        tail = name.rpartition(".")[2]
        args = context.args if isinstance(context, ast.Call) else []
        if name in ("contextlib.suppress", "pytest.raises", "_pytest.raises.raises") or tail in (
            "assertRaises",
            "assertRaisesRegex",
        ):
            kinds = [kind for arg in args for kind in (arg.elts if isinstance(arg, ast.Tuple) else [arg])]
            return f"{tail} around it takes the error" if any(self.is_failure(kind) for kind in kinds) else ""
        if name == "contextlib.ExitStack" or tail == "ExitStack":
            pushed = any(
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "push"
                for node in ast.walk(self._function)
            )
            return "a callback of the ExitStack around it may take the error" if pushed else ""
        definition = self.view.definition(context) if isinstance(context, ast.Call) or name.startswith(".") else None
        if definition is None:
            return ""
        return f"{tail} around it takes the error" if _takes_errors(*definition) else ""


def _takes_errors(view: View, node: ast.AST) -> bool:
    """Whether a context manager of the test tree keeps errors to itself."""
    if isinstance(node, FUNCTIONS):
        for part in ast.walk(node):
            if isinstance(part, (ast.Try, ast.TryStar)) and any(isinstance(one, ast.Yield) for one in ast.walk(part)):
                return any(
                    not any(isinstance(one, ast.Raise) for one in ast.walk(handler)) for handler in part.handlers
                )
        return any(
            isinstance(part, ast.With) and "suppress" in view.name(part.items[0].context_expr)
            for part in ast.walk(node)
        )
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            if isinstance(member, FUNCTIONS) and member.name in ("__exit__", "__aexit__"):
                returns = [part.value for part in ast.walk(member) if isinstance(part, ast.Return)]
                return any(value is not None and not _is_false(value) for value in returns)
    return False


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _leaves(node: ast.stmt) -> bool:
    return any(isinstance(part, (ast.Return, ast.Break, ast.Continue)) for part in own([node]))


def _differs(subject: ast.Constant, pattern: ast.pattern) -> bool:
    value = pattern.value if isinstance(pattern, ast.MatchValue) else None
    return isinstance(value, ast.Constant) and value.value != subject.value
