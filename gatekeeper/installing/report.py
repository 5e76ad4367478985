"""What installing and uninstalling print: what was done, what that means, how to undo it."""

from __future__ import annotations

import contextlib
import shlex
import sys
from typing import TYPE_CHECKING

from gatekeeper.errors import GatekeeperError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.installing.apply import Done, Undone
    from gatekeeper.installing.policytext import Choice

EXIT_NOT_DONE = 3


def complain(program: str, error: GatekeeperError) -> None:
    """Print an expected failure and its remedy, a line each however long: these are commands and paths to copy."""
    sys.stderr.write(f"{program}: {error}\n")
    if error.fix:
        sys.stderr.write(f"  mend: {error.fix}\n")


@contextlib.contextmanager
def complaining(program: str) -> Iterator[None]:
    """Turn an expected failure into its message and exit code 3."""
    try:
        yield
    except GatekeeperError as error:
        complain(program, error)
        raise SystemExit(EXIT_NOT_DONE) from None


HOOK = {
    "new": "installed",
    "same": "already installed, unchanged",
    "upgraded": "upgraded in one step",
    "chained": "installed; the hook that was there is kept as {chained} and runs after ours lets a push pass",
    "kept": "installed; the hook that was there is kept as {chained}: not executable, it did not run and will not",
}

POLICY = {
    "written": "written",
    "rewritten": "written anew from these options (nobody had edited the old one)",
    "same": "there already, unchanged",
    "kept": "NOT changed: it has been edited since it was written, so the options given here are not in it",
    "none": "none: pre-push says so, and advises by the defaults",
}


def installed(done: Done, choice: Choice, program: str, cache: str = "") -> Iterator[str]:
    """The lines for one installation; ``program`` is our command, quoted for a shell, ``cache`` what became of it."""
    place = done.place
    yield f"{place.git_dir}"
    yield f"  hook    {place.path}: " + HOOK[done.hook].format(chained=place.chained.name)
    if done.chained and done.hook in {"new", "same", "upgraded"}:
        yield f"          {place.chained.name} runs after ours lets a push pass"
    if place.reader is not None:
        yield f"  ahead   {place.reader.path}: " + HOOK[done.reader].format(chained=place.reader.chained.name)
    yield f"  policy  {place.policy}: {POLICY[done.policy]}"
    named = shlex.quote(str(place.top))
    if place.hook == "pre-push":
        yield "  note    this is advice before you push; the server decides"
        yield f"  undo    {program} uninstall --clone {named}"
        return
    if done.policy in {"written", "rewritten"}:
        yield from _enforcement(done, choice, program)
    elif done.policy == "kept":
        yield f"          edit it by hand: {place.policy}"
    yield f"  canary  {done.proof}"
    if cache:
        yield f"  cache   {cache}"
    yield f"  check   {program} doctor {named}"
    yield f"  undo    {program} uninstall {named}"


def _enforcement(done: Done, choice: Choice, program: str) -> Iterator[str]:
    place = done.place
    if choice.mode == "enforce":
        yield f"  people  {', '.join(choice.humans)}; everybody else is an agent and may write refs/heads/agent/** only"
        if choice.source == "ssh":
            yield "  ssh     give each key a name in ~/.ssh/authorized_keys:"
            root = shlex.quote(str(place.git_dir.parent))
            yield f'          command="{program} serve NAME --root {root}",restrict ssh-ed25519 AAAA... comment'
        return
    yield ""
    yield "  ***** OBSERVE MODE: every push is judged, the verdict is printed, NOTHING IS REFUSED *****"
    if choice.missing:
        yield f"  {choice.missing} not given: in enforce mode nobody could write the trusted branch."
    yield f"  to enforce: {program} install {shlex.quote(str(place.top))} --identity ssh|http --humans alice,bob"
    yield ""


def uninstalled(undone: Undone) -> Iterator[str]:
    """The lines for one removal."""
    place = undone.place
    what = {
        "restored": "the hook that was there before is back",
        "removed": "removed",
        "absent": "there was no hook of Gatekeeper's",
    }[undone.hook]
    yield f"{place.git_dir}"
    yield f"  hook    {place.path}: {what}"
    if undone.policy_kept:
        yield f"  policy  {place.policy}: left, since it has been edited; delete it by hand if you do not want it"
