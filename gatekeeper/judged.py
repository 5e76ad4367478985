"""What became of a budget that is judged over whole trees: counts for the scorecard, and what is wrong."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gatekeeper.model import Severity


class Fault(NamedTuple):
    """One thing that is wrong with one property; ``severity`` is empty where the policy decides."""

    code: str
    message: str
    path: bytes | None = None
    line: int | None = None
    fix: str = ""
    severity: Severity | str = ""


class Judgement(NamedTuple):
    """What became of the property budget: of ``required`` nodeids, ``collected`` are there and ``missing`` are not.

    ``credit`` names what the push adds.
    """

    judged: bool
    required: int = 0
    missing: tuple[str, ...] = ()
    collected: int = 0
    credit: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
