"""Names of the standard library and its neighbours that the reading of a surface gives a meaning to."""

from __future__ import annotations

GENERIC: dict[str, str] = {
    "typing.List": "list",
    "typing.Dict": "dict",
    "typing.Tuple": "tuple",
    "typing.Set": "set",
    "typing.FrozenSet": "frozenset",
    "typing.Type": "type",
    "typing.Text": "str",
    "typing.Deque": "collections.deque",
    "typing.DefaultDict": "collections.defaultdict",
    "typing.OrderedDict": "collections.OrderedDict",
    "typing.Counter": "collections.Counter",
    "typing.ChainMap": "collections.ChainMap",
    "typing.AbstractSet": "collections.abc.Set",
    "typing.Pattern": "re.Pattern",
    "typing.Match": "re.Match",
    "typing.ContextManager": "contextlib.AbstractContextManager",
    "typing.AsyncContextManager": "contextlib.AbstractAsyncContextManager",
    "builtins.int": "int",
    "builtins.str": "str",
    "builtins.bytes": "bytes",
    "builtins.bool": "bool",
    "builtins.float": "float",
    "builtins.list": "list",
    "builtins.dict": "dict",
    "builtins.tuple": "tuple",
    "builtins.set": "set",
    "builtins.type": "type",
    "builtins.object": "object",
}
"""Spellings of one type in annotations (PEP 585), each to the plainest."""

ABSTRACT = frozenset(
    {
        "Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "ByteString", "Callable",
        "Collection", "Container", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView",
        "Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Reversible", "Sequence",
        "Sized", "ValuesView",
    }
)  # fmt: skip
"""Names that ``typing`` re-exports from ``collections.abc``."""

FULL_CALLS = frozenset(
    {
        "collections.namedtuple",
        "typing.NamedTuple",
        "typing.TypedDict",
        "typing.NewType",
        "typing.TypeVar",
        "typing.ParamSpec",
        "typing.TypeVarTuple",
        "typing.TypeAliasType",
        "enum.Enum",
        "enum.IntEnum",
        "enum.StrEnum",
        "enum.Flag",
        "enum.IntFlag",
        "enum.auto",
        "functools.partial",
        "functools.partialmethod",
        "dataclasses.field",
        "dataclasses.make_dataclass",
        "attr.ib",
        "attr.attrib",
        "attr.field",
        "attrs.field",
        "attr.make_class",
        "attrs.make_class",
        "pydantic.Field",
        "pydantic.fields.Field",
        "pydantic.ConfigDict",
        "pydantic_settings.SettingsConfigDict",
        "property",
        "staticmethod",
        "classmethod",
        "frozenset",
        "type",
    }
)
"""Callees whose arguments are part of what the called thing is."""

DECORATORS: dict[str, str] = {
    "staticmethod": "static",
    "classmethod": "class",
    "abc.abstractmethod": "abstract",
    "abc.abstractclassmethod": "abstract class",
    "abc.abstractstaticmethod": "abstract static",
    "typing.overload": "overload",
    "typing.final": "final",
    "typing.override": "",
    "typing.type_check_only": "",
    "typing.no_type_check": "",
    "functools.lru_cache": "cached",
    "functools.cache": "cached",
    "contextlib.contextmanager": "ctxmgr",
    "contextlib.asynccontextmanager": "ctxmgr",
    "warnings.deprecated": "deprecated",
    "typing.deprecated": "deprecated",
}
"""Decorators with a meaning of their own: the flags that they set. Any other is unknown, and a fact by itself."""

PROPERTIES: dict[str, str] = {
    "property": "",
    "builtins.property": "",
    "abc.abstractproperty": "abstract",
    "functools.cached_property": "cached",
    "django.utils.functional.cached_property": "cached",
    "werkzeug.utils.cached_property": "cached",
}
"""Decorators that make an attribute of a method: the flags that they set."""

DATACLASSES = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass", "pydantic.dataclass"})
ATTRS = frozenset(
    {
        "attr.s", "attr.attrs", "attr.attributes", "attr.dataclass", "attr.define", "attr.mutable", "attr.frozen",
        "attrs.define", "attrs.mutable", "attrs.frozen",
    }
)  # fmt: skip
ENUMS = frozenset(
    {
        "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "enum.ReprEnum",
    }
)  # fmt: skip
KEYWORD_MODELS = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic_settings.BaseSettings"})
STRUCTS = frozenset({"msgspec.Struct"})
FIELD_CALLS = frozenset(
    {
        "dataclasses.field", "attr.ib", "attr.attrib", "attr.field", "attrs.field", "pydantic.Field",
        "pydantic.fields.Field", "msgspec.field",
    }
)  # fmt: skip

METADATA = frozenset(
    {
        "__version__", "__author__", "__date__", "__copyright__", "__license__", "__email__", "__credits__",
        "__maintainer__", "__status__", "__contact__", "__url__", "__title__", "__summary__", "__description__",
        "__uri__", "__build__", "__revision__", "__version_info__", "__version_tuple__", "__docformat__",
    }
)  # fmt: skip
"""Module attributes whose presence is surface and whose value is not."""

SILENT_MODULE = frozenset({"__all__", "__doc__", "__annotations__"})
SILENT_MEMBER = frozenset(
    {
        "__module__", "__doc__", "__qualname__", "__annotations__", "__slots__", "__match_args__",
    }
)  # fmt: skip
"""Names that are never members of a surface: they are written in the payload of the class, or nowhere."""

ALIASES = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError"}
"""Builtins that are another one by an older name."""

BUILTINS = frozenset(
    {
        "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
        "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
        "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
        "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception",
        "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError", "FloatingPointError", "FutureWarning",
        "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError",
        "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError",
        "ModuleNotFoundError", "NameError", "None", "NotADirectoryError", "NotImplemented", "NotImplementedError",
        "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError", "ProcessLookupError",
        "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration",
        "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError",
        "True", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
        "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "abs",
        "aiter", "all", "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr",
        "classmethod", "compile", "complex", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec",
        "filter", "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "help", "hex", "id",
        "input", "int", "isinstance", "issubclass", "iter", "len", "list", "locals", "map", "max", "memoryview",
        "min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "range", "repr", "reversed",
        "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars",
        "zip", "__import__", "__debug__", "__name__", "__file__", "__doc__",
    }
)  # fmt: skip
"""Names of the builtins module, spelt out: the list of the running interpreter must not matter."""
