"""The one place that turns exceptions into exit codes. Whatever happens, what leaves here is a verdict or a refusal."""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, UsageError
from gatekeeper.gate import explain
from gatekeeper.render.escape import escape
from gatekeeper.render.text import wrap
from gatekeeper.verdict import EXIT_NO_VERDICT, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_INTERRUPTED = 130
STDERR = 2


def guard(run: Callable[[], int]) -> int:
    """Run an entry point; an exception is printed with its rule and its fix, and becomes the exit code of that rule."""
    try:
        return run()
    except KeyboardInterrupt:
        say("gatekeeper: interrupted; nothing was judged\n")
        return EXIT_INTERRUPTED
    except UsageError as fault:
        say(
            "".join(
                f"{line}\n"
                for line in (*wrap(f"gatekeeper: {escape(str(fault))}"), *wrap(f"fix: {escape(fault.fix)}", "     "))
            )
        )
        return EXIT_NO_VERDICT
    except GatekeeperError as fault:
        return _refuse(fault)
    except Exception as error:  # noqa: BLE001 (fail closed, also on what nobody thought of)
        return _refuse(GatekeeperError(f"{type(error).__name__}: {error}"[:300]))


def _refuse(fault: GatekeeperError) -> int:
    findings = list(explain(fault))
    for finding in findings:
        lines = [*wrap(f"{finding.code}  {escape(finding.message)}", "      ")]
        lines += wrap(f"fix: {escape(finding.fix)}", "     ") if finding.fix else []
        lines += wrap(f"refused: gate (no verdict). More: gatekeeper explain {finding.code}")
        say("".join(f"{line}\n" for line in lines))
    return exit_code(findings) or EXIT_NO_VERDICT


def say(text: str, descriptor: int = STDERR) -> None:
    """Write all of ``text``; a reader that is gone, or does not read until the deadline, changes no verdict."""
    data = text.encode("ascii", "backslashreplace")
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except (OSError, DeadlineExceeded):
        return
