"""Functions that are run for real: pure, of builtins and the standard library, on values that are wholly known."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import fractions
import json
import math
import operator
import os.path
import re
import string
import textwrap
import urllib.parse
import uuid

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MAX_BITS, MAX_ITEMS, MAX_TEXT, bounded, is_concrete
from gatekeeper.source.evaluate.frames import Raised, Undecided
from gatekeeper.source.evaluate.values import Generator, Instance, Member, Thing, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value


def _compile(pattern: str | bytes, flags: int = 0) -> object:
    if len(pattern) > 10_000:  # noqa: PLR2004
        raise Undecided("a pattern that is too long")
    return re.compile(pattern, flags)


_MATH = [
    "sqrt",
    "floor",
    "ceil",
    "log",
    "log2",
    "log10",
    "log1p",
    "exp",
    "expm1",
    "pow",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "fabs",
    "fmod",
    "hypot",
    "isnan",
    "isinf",
    "isfinite",
    "isclose",
    "gcd",
    "lcm",
    "copysign",
    "degrees",
    "radians",
    "trunc",
    "isqrt",
    "prod",
    "fsum",
    "modf",
    "frexp",
    "ldexp",
    "nextafter",
    "ulp",
    "erf",
    "gamma",
    "lgamma",
    "dist",
    "remainder",
    "cbrt",
    "exp2",
]

_BUILTINS = (
    *(str, int, float, complex, bytes, bytearray, abs, min, max, sum, round, divmod, pow, ord, chr, hex, oct, bin),
    *(ascii, repr, slice, format),
)
_OPERATORS = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "neg",
    "pos",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "and_",
    "or_",
    "xor",
    "invert",
    "concat",
    "contains",
    "getitem",
]

_URLS = (
    "quote",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "urlencode",
    "urljoin",
    "quote_from_bytes",
    "unquote_to_bytes",
)

PURE: dict[str, Callable[..., Any]] = {
    **{f"builtins.{one.__name__}": one for one in _BUILTINS},
    **{f"math.{name}": getattr(math, name) for name in _MATH if hasattr(math, name)},
    "math.factorial": math.factorial,
    "math.comb": math.comb,
    "math.perm": math.perm,
    **{f"operator.{name}": getattr(operator, name) for name in _OPERATORS},
    "builtins.bytes.fromhex": bytes.fromhex,
    "builtins.int.from_bytes": int.from_bytes,
    "builtins.float.fromhex": float.fromhex,
    "builtins.str.maketrans": str.maketrans,
    "builtins.dict.fromkeys": lambda keys, value=None: dict.fromkeys(keys, value),
    "re.compile": _compile,
    "re.escape": re.escape,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "datetime.date": dt.date,
    "datetime.time": dt.time,
    "datetime.datetime": dt.datetime,
    "datetime.timedelta": dt.timedelta,
    "datetime.timezone": dt.timezone,
    "datetime.date.fromisoformat": dt.date.fromisoformat,
    "datetime.datetime.fromisoformat": dt.datetime.fromisoformat,
    "datetime.datetime.strptime": dt.datetime.strptime,
    "datetime.datetime.combine": dt.datetime.combine,
    "datetime.date.fromordinal": dt.date.fromordinal,
    "uuid.UUID": uuid.UUID,
    "uuid.uuid3": uuid.uuid3,
    "uuid.uuid5": uuid.uuid5,
    "os.path.join": os.path.join,
    "os.path.dirname": os.path.dirname,
    "os.path.basename": os.path.basename,
    "os.path.splitext": os.path.splitext,
    "os.path.normpath": os.path.normpath,
    "os.path.split": os.path.split,
    "os.path.isabs": os.path.isabs,
    "os.path.abspath": os.path.normpath,
    "os.path.realpath": os.path.normpath,
    "textwrap.dedent": textwrap.dedent,
    "textwrap.indent": textwrap.indent,
    "textwrap.fill": textwrap.fill,
    "string.capwords": string.capwords,
    "json.loads": json.loads,
    "json.dumps": json.dumps,
    **{f"urllib.parse.{name}": getattr(urllib.parse, name) for name in _URLS},
    "base64.b64encode": base64.b64encode,
    "base64.b64decode": base64.b64decode,
    "base64.urlsafe_b64encode": base64.urlsafe_b64encode,
}


def call_pure(world: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The function of ``PURE`` called ``name``: for real if all that it gets is known, else Unknown.

    Raises:
        Raised: it certainly raises. Undecided: what it gives would be too large.
    """
    given: list[Any] = []
    for one in args:
        value = world.items(one) if isinstance(one, Generator) else one
        if not is_concrete(value):
            return _of_object(world, name, args, kwargs)
        if name not in _ANY_ORDER and _unordered(value):
            return Unknown("the order of a set")
        given.append(value)
    if not all(map(is_concrete, kwargs.values())):
        return Unknown("computed from something that is not known")
    if name == "textwrap.indent" and sum(len(one) for one in given if isinstance(one, str)) > _PAGE:
        raise Undecided("a text that is too long")
    if any(isinstance(one, range) and len(one) > MAX_ITEMS for one in (*given, *kwargs.values())):
        raise Undecided("a range that is too large")
    _check(name, given)
    try:
        found = PURE[name](*given, **kwargs)
    except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError, re.error, RecursionError) as error:
        raise Raised(type(error).__name__) from None
    if type(found) is bytearray:
        return Thing("builtins.bytearray")
    return bounded(found) if is_concrete(found) else Unknown("a value that is not followed")


def _of_object(world: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """``str(x)`` and its like of an object of the tree call a method of it."""
    last = name.rpartition(".")[2]
    if len(args) == 1 and not kwargs and isinstance(args[0], Instance | Member) and last in _BY_METHOD:
        found = world.lookup(args[0].kind, f"__{last}__")
        if found is not None:
            return world.call(world.attribute(args[0], f"__{last}__"), [], {})
    if last in _COMPARING and not kwargs and args and isinstance(args[0], Unknown):
        return args[0]
    return Unknown("computed from something that is not known")


_BY_METHOD = frozenset({"str", "repr", "int", "float", "abs"})
_COMPARING = frozenset({"min", "max", "sum"})
_ANY_ORDER = frozenset({"builtins.min", "builtins.max", "operator.eq", "operator.ne", "operator.contains"})
"""What may get a set: the order of its elements does not matter to it."""
_HEAVY = frozenset({"math.factorial", "math.comb", "math.perm"})
_SIZES = frozenset({"builtins.bytes", "builtins.bytearray"})
_EXPONENT = re.compile(r"[eE][+-]?\d{4}")
_DIGITS = re.compile(r"\d{6}")


def _unordered(value: Any, depth: int = 0) -> bool:
    """Whether a set somewhere in ``value`` has an order that differs from run to run."""
    if isinstance(value, set | frozenset):
        return len(value) > 1 and not all(isinstance(one, int) for one in value)
    if depth < _DEEP and isinstance(value, list | tuple):
        return any(_unordered(one, depth + 1) for one in value)
    if depth < _DEEP and isinstance(value, dict):
        return any(_unordered(one, depth + 1) for one in value.values())
    return False


_DEEP = 20
_PAGE = 20_000
"""Characters of which the product is still a text that one may make."""


def _check(name: str, args: list[Any]) -> None:  # noqa: C901 (one line a function)
    """Refuses what makes much of little."""
    whole = [one for one in args if isinstance(one, int)]
    much = False
    if name in _HEAVY:
        much = any(one > 2000 for one in whole)  # noqa: PLR2004
    elif name in _SIZES:
        much = any(one > MAX_TEXT for one in whole)
    elif name == "builtins.pow":
        much = len(whole) == len(args) == 2 and abs(args[1]) * args[0].bit_length() > MAX_BITS  # noqa: PLR2004
    elif name == "builtins.sum":
        much = len(args) > 1 and not isinstance(args[1], int | float | complex)  # lists take the square of their number
    elif name == "math.prod":
        much = sum(one.bit_length() for one in args[0] if isinstance(one, int)) > MAX_BITS
    elif name == "builtins.format":
        much = len(args) > 1 and isinstance(args[1], str) and _DIGITS.search(args[1]) is not None
    elif name == "fractions.Fraction":
        much = any(isinstance(one, str) and _EXPONENT.search(one) for one in args)
    elif name == "builtins.round":
        much = len(args) > 1 and any(abs(one) > MAX_TEXT for one in whole)
    elif name in _PRODUCTS:
        much = any(one > MAX_BITS for one in whole)
    if much or any(
        isinstance(one, decimal.Decimal) and one.is_finite() and abs(one.adjusted()) > 2000  # noqa: PLR2004
        for one in args
    ):
        raise Undecided("a value that is too large")


_PRODUCTS = frozenset({"operator.mul", "operator.mod"})
