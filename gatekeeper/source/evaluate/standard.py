"""The standard library: which names are constants, which exist, which are classes of objects without a name.

The modules are imported here, by name, before a worker gives up opening files. Nothing of them is called.
"""

from __future__ import annotations
import __future__

import abc
import array
import ast
import base64
import binascii
import bisect
import builtins
import calendar
import codecs
import collections
import collections.abc
import contextlib
import copy
import dataclasses
import datetime as dt
import decimal
import enum
import errno
import fractions
import functools
import hashlib
import heapq
import http
import inspect
import io
import ipaddress
import itertools
import json
import keyword
import logging
import math
import numbers
import operator
import os
import pathlib
import random
import re
import socket
import stat
import string
import sys
import tempfile
import textwrap
import threading
import time
import types
import typing
import unicodedata
import unittest
import uuid
import warnings
import weakref
import zoneinfo

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import External, Thing, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from gatekeeper.source.evaluate.values import Value

MODULES: dict[str, types.ModuleType] = {
    module.__name__: module
    for module in (
        __future__,
        abc, array, ast, base64, binascii, bisect, builtins, calendar, codecs, collections, collections.abc, contextlib,
        copy, dataclasses, dt, decimal, enum, errno, fractions, functools, hashlib, heapq, http, inspect, io, ipaddress,
        itertools, json, keyword, logging, math, numbers, operator, os, pathlib, random, re, socket, stat, string, sys,
        tempfile, textwrap, threading, time, types, typing, unicodedata, unittest, uuid, warnings, weakref, zoneinfo,
    )
}  # fmt: skip
MODULES["os.path"] = os.path

_CONSTANT_MODULES = frozenset(
    {"math", "string", "calendar", "errno", "stat", "socket", "http", "re", "uuid", "datetime", "decimal", "keyword",
     "logging", "operator"}
)  # fmt: skip
_PLAIN = (str, int, float, bytes, bool, complex)
_KEPT = (dt.timezone, dt.timedelta, dt.date, dt.time, uuid.UUID, decimal.Decimal, enum.Enum)


def constant(name: str) -> Value:
    """The constant that ``name`` (``math.pi``) is, else the External of that name."""
    if name in _NAMED:
        return _NAMED[name]
    top, _, rest = name.partition(".")
    if top not in _CONSTANT_MODULES or not rest:
        return External(name)
    found: Any = MODULES[top]
    for part in rest.split("."):
        if not isinstance(found, types.ModuleType | type):
            return External(name)
        found = (
            vars(found).get(part, _ABSENT) if not isinstance(found, enum.EnumMeta) else getattr(found, part, _ABSENT)
        )
    if isinstance(found, enum.Enum) or (type(found) in _PLAIN) or (isinstance(found, _KEPT)):
        return found
    if type(found) is tuple and all(type(one) in _PLAIN for one in found):
        return found
    return External(name)


_ABSENT = object()
_UNNAMED: dict[str, Any] = {
    f"builtins.{kind.__name__}": kind for kind in (type(None), type(...), types.FunctionType, types.BuiltinFunctionType)
}
"""Types that no module holds under their name."""
_NAMED: dict[str, Any] = {
    "typing.TYPE_CHECKING": False,
    "typing_extensions.TYPE_CHECKING": False,
    "sys.maxunicode": sys.maxunicode,
    "sys.implementation.name": "cpython",
    "sys.path": Unknown("sys.path"),
    "sys.argv": Unknown("sys.argv"),
    "sys.stdin": Thing("io.TextIOWrapper"),
    "sys.stdout": Thing("io.TextIOWrapper"),
    "sys.stderr": Thing("io.TextIOWrapper"),
    "pickle.HIGHEST_PROTOCOL": 5,
    "pickle.DEFAULT_PROTOCOL": 4,
    "os.sep": "/",
    "os.pathsep": ":",
    "os.linesep": "\n",
    "os.curdir": ".",
    "os.pardir": "..",
    "os.name": "posix",
    "os.altsep": None,
    "os.path.sep": "/",
    "os.devnull": "/dev/null",
    "os.environ": Unknown("the environment"),
    "unittest.mock.ANY": Thing("unittest.mock._ANY"),
    "unittest.mock.DEFAULT": Thing("unittest.mock._SentinelObject"),
}


def _find(name: str) -> Any:
    """The real object of a dotted name; ``_ABSENT`` where it is not known. Nothing of it is called."""
    if name in MODULES:
        return MODULES[name]
    above, _, last = name.rpartition(".")
    if name in _UNNAMED:
        return _UNNAMED[name]
    if above in MODULES:
        return vars(MODULES[above]).get(last, _ABSENT)
    outer, _, middle = above.rpartition(".")
    owner = vars(MODULES[outer]).get(middle) if outer in MODULES else None
    return vars(owner).get(last, _ABSENT) if isinstance(owner, type) else _ABSENT


def is_there(name: str) -> bool:
    """Whether a dotted name of the standard library is known to be there."""
    return _find(name) is not _ABSENT


def can_be_called(name: str) -> bool | None:
    """Whether a dotted name of the standard library can be called; None where it is not known."""
    found = _find(name)
    return None if found is _ABSENT else callable(found)


def same(left: str, right: str) -> bool | None:
    """Whether two names of the standard library mean one object; None where one is not known."""
    one, other = _find(left), _find(right)
    return None if one is _ABSENT or other is _ABSENT else one is other


def is_class(name: str) -> type | None:
    """The class of the standard library that ``name`` is."""
    found = _find(name)
    return found if isinstance(found, type) else None


_NAMED_KINDS = (str, bytes, int, float, complex, type, enum.Enum)
_OTHERWISE = frozenset(
    {"builtins.classmethod", "builtins.staticmethod", "builtins.property", "builtins.super", "functools.partialmethod"}
)
_MOCKS = frozenset(
    f"unittest.mock.{name}" for name in ("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock")
)
_TELLING = frozenset({"spec", "spec_set", "wraps", "__name__", "return_value"})
"""Arguments by which an object may get a name of its own, as a mock does."""


def made_by(name: str, words: Iterable[str] = ()) -> Thing | None:
    """What calling a class of the standard library gives, as far as its kind says it."""
    if name in _MOCKS:
        return Thing(name) if _TELLING.isdisjoint(words) else None
    found = is_class(name)
    if found is None or issubclass(found, _NAMED_KINDS) or name in _OTHERWISE or not _TELLING.isdisjoint(words):
        return None
    # What these two modules hold goes by a name of its own more often than not.
    if name.startswith(("typing.", "types.")) and name != "types.SimpleNamespace":
        return None
    return Thing(name)


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


_CHANGES = (
    *("random.shuffle", "heapq.", "bisect.insort", "operator.i", "operator.setitem", "operator.delitem"),
    *("builtins.setattr", "builtins.delattr", "array.", "ctypes."),
)
_HARMLESS = (
    *("numpy.", "pandas.", "scipy.", "hypothesis.", "pytest.", "attr.", "attrs.", "typing_extensions."),
    *("sqlalchemy.", "pydantic.", "pydantic_core.", "packaging.", "mock.", "httpx.", "pytz.", "dateutil.", "joblib."),
)


def changes(name: str) -> bool:
    """Whether a function outside the tree may change what it is handed.

    Most libraries make something new of their arguments; a few are known to, of the others it is not known.
    """
    if name.startswith(_CHANGES):
        return True
    return not is_standard(name.partition(".")[0]) and (not name.startswith(_HARMLESS) or "shuffle" in name)
