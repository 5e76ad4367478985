"""Which statements of a source do more than bind names when it is read: those count for everybody who reads it.

What is harmless is listed, everything else is an effect: a decorator of some other test may rebind the property.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.follow import Needs, Symbol
from gatekeeper.source.fingerprint.locals import FUNCTIONS, outside, own
from gatekeeper.source.fingerprint.pages import Check, Leaf, Page, leaves, owner
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.follow import Library

_DEEP = 6
_BUILTINS = words(
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate "
    "filter float format frozenset hash hex id int isinstance issubclass iter len list map max min next "
    "object oct ord pow property range repr reversed round set slice sorted staticmethod str sum super "
    "tuple type zip Exception ValueError TypeError KeyError IndexError RuntimeError AssertionError "
    "NotImplementedError OSError ZeroDivisionError"
)
_METHODS = words(
    "map filter flatmap format join split rsplit strip lstrip rstrip splitlines lower upper title replace "
    "encode decode copy items keys values get index count union intersection difference startswith "
    "endswith partition as_posix resolve joinpath with_suffix with_name isoformat total_seconds hex mark "
    "with_args group groups most_common removeprefix removesuffix zfill center ljust rjust product "
    "combinations permutations chain from_iterable"
)
_EFFECTS = (
    "os.", "posix.", "nt.", "sys.", "builtins.", "importlib.", "imp.", "runpy.", "atexit.", "signal.", "ctypes.", "gc.",
    "threading.", "_thread.", "multiprocessing.", "subprocess.", "faulthandler.", "code.", "codeop.", "site.", "pdb.",
    "_pytest.", "pluggy.", "pytest.exit", "pytest.skip", "pytest.xfail", "pytest.fail", "pytest.importorskip",
    "pytest.MonkeyPatch", "pytest.main", "pytest.register_assert_rewrite", "hypothesis.settings.register_profile",
    "hypothesis.settings.load_profile", "hypothesis.strategies.register_type_strategy", "hypothesis.configuration.",
    "hypothesis.internal.", "inspect.currentframe", "inspect.stack", "inspect.getmodule", "random.seed", "warnings.",
    "logging.", "unittest.main", "unittest.installHandler", "unittest.mock._",
)  # fmt: skip
_SAFE = ("os.path.", "os.environ.get", "os.getenv", "os.fspath", "os.cpu_count", "importlib.metadata.", "sys.getsizeof",
         "logging.getLogger", "subprocess.list2cmdline", "threading.Lock", "importlib.util.find_spec",
         "importlib.resources.")  # fmt: skip


class Effects:
    """Tells effects from harmless statements in the sources of one tree."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._functions: dict[Symbol, bool] = {}
        self._pages: dict[str, tuple[Leaf, ...]] = {}

    def of(self, page: Page) -> tuple[Leaf, ...]:
        """What reading ``page`` does, in order, beyond binding names to what nobody else sees."""
        if page.path not in self._pages:
            self._pages[page.path] = tuple(self._of(page))
        return self._pages[page.path]

    def _of(self, page: Page) -> Iterator[Leaf]:
        for leaf in page.others:
            if not self.harmless(page, leaf.node) and self.owner(page, leaf) is None:
                yield leaf

    def owner(self, page: Page, leaf: Leaf) -> str | None:
        """The name that a change concerns alone, where what it is changed to does nothing else."""
        name = owner(page, leaf)
        if name is None:
            return None
        node = leaf.node
        value = node.value if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) else None
        parts: list[ast.AST] = [value] if value is not None else []
        if isinstance(node, ast.Expr) and isinstance(value, ast.Call):
            parts = [*value.args, *value.keywords]
        return name if all(self.expression(page, part) for part in parts) else None

    def harmless(self, page: Page, node: ast.AST, deep: int = 0) -> bool:
        """Whether a statement does nothing but bind names; what is nested too deep to tell is an effect."""
        try:
            return self._harmless(page, node, deep)
        except RecursionError:
            return False

    def _harmless(self, page: Page, node: ast.AST, deep: int) -> bool:  # noqa: PLR0911 (one branch a kind)
        if isinstance(node, FUNCTIONS):
            decorated = all(self._decorator(page, one, deep) for one in node.decorator_list)
            return decorated and all(self.expression(page, part, deep) for part in outside(node))
        if isinstance(node, ast.ClassDef):
            if any(keyword.arg == "metaclass" for keyword in node.keywords):
                return all(self._outer(page, keyword.value) for keyword in node.keywords)
            inner = all(self.harmless(page, leaf.node, deep) for leaf in leaves(node.body))
            inner = inner and all(self._decorator(page, one, deep) for one in node.decorator_list)
            return inner and all(self.expression(page, part, deep) for part in outside(node))
        if isinstance(node, ast.Assign):
            plain = all(_is_name(target) for target in node.targets)
            return plain and self.expression(page, node.value, deep)
        if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            return _is_name(node.target) and (node.value is None or self.expression(page, node.value, deep))
        if isinstance(node, Check):
            return self.expression(page, node.value, deep)
        if isinstance(node, ast.Expr):
            return not any(isinstance(part, (ast.Call, ast.Await)) for part in own([node]))
        if isinstance(node, ast.Delete):
            return all(_is_name(target) for target in node.targets)
        return isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, getattr(ast, "TypeAlias", ast.Pass)))

    def expression(self, page: Page, node: ast.AST, deep: int = 0) -> bool:
        """Whether evaluating an expression does nothing to others."""
        return all(self._call(page, part.func, deep) for part in own([node]) if isinstance(part, ast.Call))

    def _decorator(self, page: Page, node: ast.expr, deep: int) -> bool:
        """Whether calling a decorator does nothing to others: it is called, whatever it is."""
        return not isinstance(node, (ast.Lambda, ast.Subscript, ast.IfExp)) and (
            isinstance(node, ast.Call) or self._call(page, node, deep)
        )

    def _call(self, page: Page, called: ast.expr, deep: int) -> bool:
        chain: list[str] = []
        inner = called
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            if chain:
                return chain[0] in _METHODS
            # The function that a harmless call gives: pytest.mark.parametrize(...)(f).
            return isinstance(inner, ast.Call) and self._call(page, inner.func, deep)
        needs = Needs()
        text = self._library.meaning(page, inner.id, tuple(reversed(chain)), needs)
        if text[0] == "s":
            symbol = next(iter(needs.symbols))
            return (chain[0] in _METHODS or self._is_class(symbol)) if chain else self.function(symbol, deep + 1)
        if text[0] == "b":
            return text[1:] in _BUILTINS or (bool(chain) and chain[0] in _METHODS)
        return harmless_name(text[1:])

    def _outer(self, page: Page, node: ast.expr) -> bool:
        """Whether it is the name of something outside the test tree."""
        if not isinstance(node, ast.Name):
            return isinstance(node, (ast.Attribute, ast.Constant))
        needs = Needs()
        return self._library.meaning(page, node.id, (), needs)[0] != "s"

    def _is_class(self, symbol: Symbol) -> bool:
        page = self._library.page(symbol.path)
        return page is not None and all(isinstance(leaf.node, ast.ClassDef) for leaf in page.bound.get(symbol.name, ()))

    def function(self, symbol: Symbol, deep: int = 0) -> bool:
        """Whether calling a function or class of the test tree does nothing to others."""
        if symbol in self._functions:
            return self._functions[symbol]
        page = self._library.page(symbol.path)
        found = page.bound.get(symbol.name, []) if page is not None else []
        if page is None or deep > _DEEP or not found:
            return False
        self._functions[symbol] = True  # a function that calls itself is as harmless as the rest of it
        verdict = all(self._body(page, leaf.node, deep) for leaf in found)
        self._functions[symbol] = verdict
        return verdict

    def _body(self, page: Page, node: ast.AST, deep: int) -> bool:
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Lambda, ast.Call))
        for part in ast.walk(node):
            if isinstance(part, ast.Global):
                return False
            if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
                root = _root(part)
                if root is None or root in page.bound:
                    return False
            if isinstance(part, ast.Call) and not self._inner_call(page, part.func, deep):
                return False
        return True

    def _inner_call(self, page: Page, called: ast.expr, deep: int) -> bool:
        """Calls in a body: what is called on locals is taken to change no more than locals."""
        root = _root(called)
        if root is None or (root not in page.bound and root not in _UNSAFE):
            return True
        return self._call(page, called, deep)


_UNSAFE = words("exec eval setattr delattr globals vars __import__ open exit quit compile locals")


def harmless_name(dotted: str) -> bool:
    """Whether calling something outside the test tree binds and changes nothing."""
    return dotted.startswith(_SAFE) or not dotted.startswith(_EFFECTS)


def _is_name(node: ast.AST) -> bool:
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_is_name(item) for item in node.elts)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Starred) and _is_name(node.value))


def _root(node: ast.AST) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None
