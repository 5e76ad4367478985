"""What a rule is: a pure function from a context to findings that carries its code and registers nothing.

The docstring of the function is the page that ``gatekeeper explain`` prints: its first line says what the rule holds,
the rest why it exists and what mends a push that breaks it.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.model import AGENT, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatekeeper.context import Context
    from gatekeeper.errors import GatekeeperError
    from gatekeeper.model import Lane, Oid, Severity

    Body = Callable[["Context"], Iterator[Finding]]
    FaultBody = Callable[[GatekeeperError], Iterator[Finding]]


class Described:
    """Code, title, budget and default severities: what the rule table is made of."""

    def __init__(self, code: str, title: str, budget: str, agent: Severity, human: Severity, page: str) -> None:
        self.code = code
        self.title = title
        self.budget = budget
        self.page = page
        self._severity = (agent, human)

    def default(self, lane: Lane) -> Severity:
        """The severity in ``lane`` when no policy says otherwise."""
        return self._severity[0 if lane == AGENT else 1]

    def finding(
        self,
        message: str,
        *,
        path: bytes | None = None,
        commit: Oid | None = None,
        line: int | None = None,
        fix: str = "",
    ) -> Finding:
        """A finding of this rule; its severity is set by the gate, from the policy."""
        return Finding(self.code, message, path, commit, line, fix)


class Rule(Described):
    """A rule about one ref update."""

    body: Body

    def __call__(self, ctx: Context) -> Iterator[Finding]:
        """All findings of this rule in ``ctx``."""
        return self.body(ctx)


class FaultRule(Described):
    """A rule about why a judgement could not be finished."""

    body: FaultBody

    def __call__(self, fault: GatekeeperError) -> Iterator[Finding]:
        """The finding for ``fault``, or nothing when it is another rule's."""
        return self.body(fault)


def rule(
    code: str, title: str, *, budget: str = "write-block", agent: Severity = "error", human: Severity = "error"
) -> Callable[[Body], Rule]:
    """Make a rule of a generator function over a :class:`~gatekeeper.context.Context`."""

    def wrap(body: Body) -> Rule:
        made = Rule(code, title, budget, agent, human, body.__doc__ or "")
        made.body = body
        return made

    return wrap


def fault_rule(code: str, title: str) -> Callable[[FaultBody], FaultRule]:
    """Make a rule of a generator function over an exception; always an error, in both lanes."""

    def wrap(body: FaultBody) -> FaultRule:
        made = FaultRule(code, title, "gate", "error", "error", body.__doc__ or "")
        made.body = body
        return made

    return wrap
