"""Words without which no source can notice or reach those who judge it: what has none more than before is not read.

:mod:`gatekeeper.source.fingerprint.patterns.judged` says what is meant by them; this only spares most pushes a worker.
"""

from __future__ import annotations

WORDS = (
    *(b"pytest", b"py.test", b"hypothesis", b"unittest", b"pluggy", b"nose", b"doctest", b"_called_from_test"),
    *(b"exit", b"abort", b"kill", b"faulthandler", b"ctypes", b"signal", b"exec"),
    *(b"inspect", b"_getframe", b"_current_frames", b"traceback", b"get_objects", b"get_referrers"),
    *(b"settrace", b"setprofile", b"f_back", b"f_locals", b"f_globals", b"tb_frame", b"builtins"),
    *(b"modules", b"meta_path", b"sys.path", b"import_module", b"__import__"),
    *(b"__eq__", b"__ne__", b"__le__", b"__ge__", b"__lt__", b"__gt__"),
)


def tells(before: bytes, after: bytes) -> bool:
    """Whether a source says one of the words more often than it did."""
    lower = after.lower()
    was = before.lower()
    return any(word in lower and lower.count(word) > was.count(word) for word in WORDS)
