"""The key under which two paths are the same file to some file system, tool or eye.

``Tests/x.py`` overwrites ``tests/x.py`` on a case-insensitive disk, ``te<U+200C>sts`` is ``tests`` to HFS+,
``conftest.py.`` and ``conftest.py::$DATA`` are ``conftest.py`` to Windows, and a full-width ``tests`` is ``tests``
after NFKC. A path whose key is protected while its own bytes are not is a *twin* (GK104).
"""

from __future__ import annotations

_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Unicode's Default_Ignorable_Code_Point ranges (DerivedCoreProperties.txt), a superset of what HFS+ ignores."""


def _ignorable(char: str) -> bool:
    point = ord(char)
    return point >= _IGNORABLE[0][0] and any(low <= point <= high for low, high in _IGNORABLE)


def _windows(component: bytes) -> bytes:
    """What Windows opens for this name: the stream suffix and trailing dots and spaces are not part of it."""
    stem = component.partition(b":")[0] or component
    return stem.rstrip(b". ") or component


def _fold_name(name: bytes) -> bytes:
    """One folded component; a character like the full-width solidus can make it several."""
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    try:
        text = _windows(name).decode("utf-8")
    except UnicodeDecodeError:
        return name.lower()  # the file systems that fold names take no such name
    text = "".join(char for char in text if not _ignorable(char))
    text = normalize("NFKC", normalize("NFKC", text).casefold())
    return "".join(char for char in text if not _ignorable(char)).encode()


def fold(path: bytes) -> bytes:
    """The folded key of a path: equal keys name one file somewhere. Idempotent.

    Of a name that is not UTF-8 only the ASCII case is folded. Long runs of combining characters take quadratic time,
    in one call that no deadline interrupts: the caller bounds the path (:data:`gatekeeper.git.diff.MAX_PATH`).
    """
    folded = path.lower() if path.isascii() else b"/".join(map(_fold_name, path.split(b"/")))
    if b"." not in folded and b" " not in folded and b":" not in folded:
        return folded
    return b"/".join(map(_windows, folded.split(b"/")))
