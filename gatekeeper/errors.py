"""Everything that can go wrong, in one hierarchy; :func:`gatekeeper.entry.guard.guard` maps it to exit codes.

Each class names the rule that reports it, so that "could not judge" never looks like "judged bad": GK001, GK002,
GK006 and GK008 end with exit code 3 (no verdict), GK004, GK005, GK007 and GK009 with 1 (the push itself is at fault).
"""

from __future__ import annotations


class GatekeeperError(Exception):
    """An expected failure: ``str()`` says what happened and where, ``fix`` what to do next."""

    code = "GK001"

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


class UsageError(GatekeeperError):
    """The command line, or what a hook was fed, does not make sense (exit 3, never argparse's 2)."""


class RepositoryError(GatekeeperError):
    """The repository cannot be opened or read: missing, foreign-owned, or of a format that no backend knows."""


class DeadlineExceeded(GatekeeperError):
    """The judgement ran out of its time."""

    code = "GK002"


class MalformedObject(GatekeeperError):
    """A pushed object breaks git's own format in a way that tools read differently."""

    code = "GK005"


class MissingObject(GatekeeperError):
    """An object that the judgement needs is not there: a shallow or partial history."""

    code = "GK006"


class LimitExceeded(GatekeeperError):
    """A budget for paths, commits, depth or bytes is used up."""

    code = "GK007"


class PolicyError(GatekeeperError):
    """A policy, or a contract of the trusted ref, cannot be read; nothing may be judged by a guess."""

    code = "GK008"
