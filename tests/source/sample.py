"""A package that has a bit of everything; each line says in its comment what a change of one of its tokens may do.

``# body``: no caller can notice any. ``# free: ...``: none can notice a change of these tokens, the last of each on the
line: names that nobody can pass (``self``, ``*args``, before a ``/``, a setter's), what a setter returns, the value
behind an attribute of an instance, an ``__all__`` that lists what is public without it. They can of every other token.
"""

from __future__ import annotations

SAMPLE: dict[str, str] = {
    "pkg/__init__.py": '''
from ._impl import helper, Base as Public
from .values import *
from typing import Optional
__all__ = ["helper", "Public", "f", "Colour", "Point", "LIMIT", "Alias", "agen", "over", "Reader"]
__all__ += ["Options"]
from enum import Enum, auto
from dataclasses import dataclass, field
from typing import Protocol, TypedDict, overload

def f(a, b: "Optional[int]" = -1, *args, k: int | None = None, **kwargs) -> list[str]:  # free: args kwargs
    """doc"""  # body
    total = a + 1  # body
    return [str(total), "text"]  # body

async def agen(limit: int = 10, /, *, fast: bool = True):  # free: limit
    value = 3  # body
    yield value  # body

class Colour(Enum):
    RED = auto()
    BLUE = auto()

@dataclass(frozen=True)
class Point:
    x: int
    y: float = 1.5
    tags: list[str] = field(default_factory=list)

class Options(TypedDict, total=False):
    name: str
    size: int

class Reader(Protocol):
    def read(self, size: int = 0) -> bytes: ...  # free: self
    @property
    def closed(self) -> bool: ...  # free: self

@overload
def over(a: int) -> int: ...
@overload
def over(a: str, b: bytes = b"x") -> str: ...
def over(a, b=None):
    return a  # body
''',
    "pkg/_impl.py": """
import sys
import typing as t
_T = t.TypeVar("_T", bound=int)
_DEFAULT = 5
def helper(x: _T, y: t.Sequence[int] = (1, 2), z: int = _DEFAULT) -> _T:
    local = x  # body
    return local  # body
class _Hidden:
    shared = 7
    def inherited(self, q: str) -> None: ...  # free: self
class Base(_Hidden):
    __slots__ = ("one", "two")
    flag: bool = False
    def __init__(self, path: str, *, mode: str = "r"):
        self.path = path  # free: path
        self._secret = 1  # body
        value = len(path)  # body
    @classmethod
    def make(cls, text: str) -> "Base": ...  # free: cls
    @staticmethod
    def check(text: str) -> bool: ...
    @property
    def size(self) -> int: ...  # free: self
    @size.setter
    def size(self, value: int) -> None: ...  # free: self value None
    if sys.platform == "linux":
        def only(self, fd: int) -> int: ...  # free: self
""",
    "pkg/values.py": """
from typing import Union
__all__ = ("LIMIT", "Alias")  # free: __all__
LIMIT = 0x10
Alias = Union[int, dict[str, float]]
""",
    "pkg/py.typed": "",
}
