"""Judge one push: every ref update by every rule, and fail closed on whatever goes wrong on the way."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks import ALL, DESCRIBED, FAULTS, REFS
from gatekeeper.context import Context, Shared
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, PolicyError
from gatekeeper.git.reader import Limits, Objects
from gatekeeper.mend import mend
from gatekeeper.model import AGENT, HUMAN, Finding
from gatekeeper.policy import Policy, build
from gatekeeper.properties import judge_properties
from gatekeeper.surfaces import judge_surface
from gatekeeper.trust import trust
from gatekeeper.verdict import ABSENT, HELD, NOT_JUDGED, Scorecard, Verdict, budget_states, keep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from gatekeeper.git import ObjectStore
    from gatekeeper.judged import Judgement
    from gatekeeper.model import Actor, Lane, Oid, Push, RefUpdate
    from gatekeeper.policy import Layer
    from gatekeeper.policy.load import Layers
    from gatekeeper.reports.model import Report
    from gatekeeper.trust import Trusted

    LaneRule = Callable[[Policy, Actor, bytes], Lane]
else:
    Protocol = object


class TrustedRefs(Protocol):
    """Where the trusted refs of this installation are found."""

    def find(self, ref: bytes | None) -> tuple[bytes, Oid | None]:
        """The full name of a trusted ref (``None``: the default one) and its oid, None where it does not exist."""


class ServerRefs:
    """Trusted refs as the server holds them; the default one is what HEAD points at."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def find(self, ref: bytes | None) -> tuple[bytes, Oid | None]:
        """See :class:`TrustedRefs`.

        Raises:
            PolicyError: HEAD is detached, so that there is no default.
        """
        name = ref or self._store.head_ref()
        if name is None:
            raise PolicyError(
                "HEAD names no branch, so there is no trusted ref", fix="git symbolic-ref HEAD refs/heads/main"
            )
        return name, self._store.ref(name)


class Gate:
    """Judges pushes against one repository."""

    def __init__(  # noqa: PLR0913 (one argument a source of truth)
        self,
        store: ObjectStore,
        *,
        refs: TrustedRefs,
        server: Layer,
        layers: Layers,
        lane: LaneRule = Policy.lane,
        merge_base: Oid | None = None,
        remote: str | None = "origin",
        absent: str = "a person creates it with a first push; agents come after",
        surfaces: bytes | None = None,
        report: Report | None = None,
    ) -> None:
        """Bind the gate to a store.

        Args:
            store: the repository's objects, the pushed ones included.
            refs: where the trusted refs are.
            server: the server's policy layer.
            layers: how a repository's policy is parsed.
            lane: which lane an update is judged in; the policy's word on the actor unless CI or pre-push knows better.
            merge_base: the base to compare with, instead of the one that the history gives.
            remote: what printed commands call the repository; None where they need not fetch from it.
            absent: what to do where a trusted ref does not exist.
            surfaces: the directory of surfaces that were read before; None reads every source again.
            report: of a run of what is judged; no hook has one.
        """
        self._store = store
        self._refs = refs
        self._server = server
        self._layers = layers
        self._lane = lane
        self._merge_base = merge_base
        self._remote = remote
        self._absent = absent
        self._shared = Shared(surfaces, report=report)
        self._expired: DeadlineExceeded | None = None

    def judge(self, push: Push) -> Scorecard:
        """The scorecard of a push; never raises for what a push or a policy can cause."""
        try:
            verdicts = tuple(self._verdict(update, push.actor) for update in push.updates)
        finally:
            self._shared.close()
        return Scorecard(push.actor, self._server.mode or "enforce", verdicts)

    def _verdict(self, update: RefUpdate, actor: Actor) -> Verdict:
        policy = build(self._server)
        judgement = _Judgement(update, actor, self._lane(policy, actor, update.ref), policy)
        try:
            if self._expired is not None:
                raise self._expired
            objects = Objects(self._store, read_limits(policy))
            self._prepare(judgement, objects)
            judgement.run(self._merge_base, self._shared)
            judgement.advise(self._remote)
        except GatekeeperError as fault:
            if isinstance(fault, DeadlineExceeded):
                self._expired = fault
            judgement.findings.extend(explain(fault))
        except Exception as error:  # noqa: BLE001 (whatever a check dies of is a refusal, never a pass)
            judgement.findings.extend(
                explain(GatekeeperError(f"a check failed with {type(error).__name__}: {error}"[:300]))
            )
        return judgement.verdict()

    def _prepare(self, judgement: _Judgement, objects: Objects) -> None:
        """Find the trusted ref and the repository's own policy, which may tighten everything but the lane."""
        update = judgement.update
        ref, oid = self._refs.find(judgement.policy.base_ref(update.ref))
        judgement.trusted_ref, judgement.objects = ref, objects
        if oid is None:
            if judgement.lane == AGENT and update.new is not None:
                judgement.missing_trust = PolicyError(
                    f"the trusted ref {ref.decode('utf-8', 'backslashreplace')} does not exist yet",
                    fix=self._absent,
                )
            return
        judgement.trusted = trust(objects, ref, oid)
        path = judgement.policy.locations["policy"]
        text = judgement.trusted.tree.blob(path)
        if text is None:
            return
        try:
            repository = self._layers.repository(
                text, f"{path.decode('utf-8', 'backslashreplace')} at {oid.hex()[:12]}"
            )
        except PolicyError as fault:
            if not judgement.repairs(path):
                raise
            # the way out: a person replaces a policy that nobody can read (GK009 holds the new one to its form)
            judgement.findings.extend(finding._replace(severity="warn") for finding in explain(fault))
        else:
            judgement.policy = build(self._server, repository)


class _Judgement:
    """One update on its way to a verdict."""

    def __init__(self, update: RefUpdate, actor: Actor, lane: Lane, policy: Policy) -> None:
        self.update = update
        self.actor = actor
        self.lane = lane
        self.policy = policy
        self.findings: list[Finding] = []
        self.trusted_ref: bytes | None = None
        self.trusted: Trusted | None = None
        self.missing_trust: PolicyError | None = None
        self.objects: Objects | None = None
        self.context: Context | None = None
        self.read = False
        self.base: Oid | None = None
        self.mend: tuple[str, ...] = ()

    def repairs(self, path: bytes) -> bool:
        """Whether this is a person's push to the trusted ref that replaces or removes ``path``.

        What ``gatekeeper check`` judges has no ref and is meant for the trusted one.
        """
        if self.lane != HUMAN or self.trusted is None or self.objects is None or self.update.new is None:
            return False
        kind, oid = self.objects.peel(self.update.new)
        if self.update.ref not in (b"", self.trusted.ref) or kind != "commit":
            return False
        return self.objects.find(self.objects.commit(oid).tree, path) != self.trusted.tree.entry(path)

    def run(self, merge_base: Oid | None, shared: Shared) -> None:
        """Ask every rule that is on in this lane."""
        assert self.objects is not None  # noqa: S101 (prepared by the gate)
        severities = {
            rule.code: self.policy.severity(self.lane, rule.code, rule.default(self.lane)) for rule in DESCRIBED
        }
        ctx = self.context = Context(
            update=self.update,
            actor=self.actor,
            lane=self.lane,
            policy=self.policy,
            severities=severities,
            objects=self.objects,
            trusted=self.trusted,
            merge_base=merge_base,
            shared=shared,
        )
        for rule in REFS if self.missing_trust is not None else ALL:
            severity = severities[rule.code]
            if severity != "off":
                # a rule can call one of its findings a warning; the policy decides about the others
                self.findings.extend(
                    finding if finding.severity == "warn" else finding._replace(severity=severity)
                    for finding in rule(ctx)
                )
        if self.missing_trust is not None:
            raise self.missing_trust

    def advise(self, remote: str | None) -> None:
        """Find the commands that mend what was found; where there are none, the findings stand without them."""
        assert self.context is not None  # noqa: S101 (made by run)
        self.read = self.context.head is not None
        self.base = self.context.base if self.lane == AGENT else None
        try:
            self.mend = mend(self.context, self.findings, remote)
        except DeadlineExceeded:
            raise
        except (GatekeeperError, MemoryError):
            return

    def verdict(self) -> Verdict:
        """Fold what was found."""
        limit = self.policy.limits["findings"]
        return Verdict(
            update=self.update,
            lane=self.lane,
            trusted_ref=self.trusted_ref,
            trusted=None if self.trusted is None else self.trusted.commit,
            base=self.base,
            budgets=budget_states(self._states(), self.findings),
            findings=keep(self.findings, limit),
            mend=self.mend,
            truncated=max(0, len(self.findings) - limit),
            digest=self._digest(),
            suite=self._suite(),
        )

    def _states(self) -> dict[str, str]:
        """What each budget is when nothing was found: held only where something was read and judged."""
        surface = None if self.context is None else self.context.made(judge_surface)
        held = HELD if self.read and self.lane == AGENT and self.trusted is not None else NOT_JUDGED
        return {
            "refs": HELD if self.context is not None else NOT_JUDGED,
            "write-block": held,
            "properties": self._properties(),
            "fixtures": self._later("fixtures"),
            "flakes": self._later("flake_budget", "flake_ledger"),
            "contract": NOT_JUDGED if surface is None or not surface.judged else HELD,
            "oracle": NOT_JUDGED,
        }

    def _properties(self) -> str:
        return self._later("properties") if self._suite() is None else HELD

    def _suite(self) -> Judgement | None:
        found = None if self.context is None else self.context.made(judge_properties)
        return found if found is not None and found.judged else None

    def _digest(self) -> str | None:
        surface = None if self.context is None else self.context.made(judge_surface)
        return None if surface is None else surface.digest

    def _later(self, *contracts: str) -> str:
        """The state of a budget that has no rules yet: absent without its contract files, else not judged."""
        if self.trusted is None:
            return NOT_JUDGED
        try:
            entries = [self.trusted.tree.entry(self.policy.locations[name]) for name in contracts]
        except DeadlineExceeded:
            raise
        except GatekeeperError:
            return NOT_JUDGED
        return NOT_JUDGED if any(entries) else ABSENT


def explain(fault: GatekeeperError) -> Iterator[Finding]:
    """The finding for a fault; one that no rule claims is still a refusal."""
    found = [finding for rule in FAULTS for finding in rule(fault)]
    yield from found or [Finding("GK001", str(fault), fix=fault.fix)]


def read_limits(policy: Policy) -> Limits:
    """What one judgement under a policy may read."""
    chosen = policy.limits
    return Limits(chosen["entries"], chosen["depth"], chosen["object_bytes"], chosen["blob_bytes"])
