"""Reading a report of any form: ``read(data)`` looks at how it begins."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports import junit, lines, reportlog, text
from gatekeeper.reports.model import MAX_BYTES, RUN, Report, Unusable

if TYPE_CHECKING:
    from collections.abc import Callable

FORMS: dict[str, Callable[[bytes], Report]] = {
    "text": text.read,
    "junit": junit.read,
    "reportlog": reportlog.read,
    "lines": lines.read,
}
"""The forms that can be asked for, and who reads each."""


def read(data: bytes, form: str | None = None) -> Report:
    """A report from its bytes; one that cannot be read has faults and says nothing.

    Args:
        data: the whole report.
        form: a key of :data:`FORMS`; None to look at how it begins.
    """
    chosen = form or _form(data)
    if len(data) > MAX_BYTES:
        return Report(RUN, chosen, faults=(f"it has more than {MAX_BYTES >> 20} MB",))
    try:
        return FORMS[chosen](data)
    except Unusable as error:
        return Report(RUN, chosen, faults=(str(error),))


def _form(data: bytes) -> str:
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"<?xml", b"<testsuite", b"<!")):
        return "junit"
    if start.startswith(b"{"):
        first = start.partition(b"\n")[0]
        return "reportlog" if b'"$report_type"' in first else "lines"
    return "text"
