"""What is known of the standard library without importing it."""

from __future__ import annotations

import sys

_LEFT_OUT = """
    _curses _interpreters _msi _overlapped _sqlite3 _tkinter _winapi bz2 crypt ctypes curses dbm ensurepip fcntl grp
    idlelib lzma msilib msvcrt nis nt nturl2path ossaudiodev posix pty pwd readline resource spwd sqlite3 ssl syslog
    termios tkinter tty turtle turtledemo venv winreg winsound zlib
"""
_NOT_EVERYWHERE = frozenset(_LEFT_OUT.split())
"""What some platforms, builds or distributions of Python leave out."""


def is_always_there(name: str) -> bool:
    """Whether a top-level module can be imported by every Python, whatever it was built with."""
    return is_standard(name) and name not in _NOT_EVERYWHERE


def is_standard(name: str) -> bool:
    """Whether a top-level module name is one of the standard library's."""
    return name in sys.stdlib_module_names or name == "builtins"
