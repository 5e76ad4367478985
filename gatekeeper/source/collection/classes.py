"""Which classes pytest collects from: not those with a constructor, not abstract ones; TestCases by their own rules."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.dotted import dotted_by
from gatekeeper.source.collection.outcome import Elsewhere
from gatekeeper.source.evaluate.realnames import standard_class
from gatekeeper.source.evaluate.values import Class, External, Function, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.collection.scope import Evaluator

TEST_CASES = frozenset(
    {
        "unittest.TestCase",
        "unittest.case.TestCase",
        "unittest.IsolatedAsyncioTestCase",
        "unittest.async_case.IsolatedAsyncioTestCase",
    }
)
_FRAMEWORKS = (
    "django.test.",
    "twisted.trial.unittest.",
    "testtools.",
    "rest_framework.test.",
    "asynctest.",
    "aiounittest.",
)
_TRANSPARENT = frozenset({"builtins.object", "abc.ABC", "typing.Generic"})
_BUILDERS = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.attrs", "attr.define", "attr.frozen", "attr.dataclass", "attrs.define",
     "attrs.frozen", "attrs.mutable", "attr.mutable", "pydantic.dataclasses.dataclass"}
)  # fmt: skip
_READ = _TRANSPARENT | TEST_CASES
_CONSTRUCTED = frozenset({"typing.Protocol", "typing.NamedTuple", "typing.TypedDict"})
_ABSTRACT = frozenset({"abc.abstractmethod", "abc.abstractproperty"})
_MULTIPLIERS = ("parameterized.parameterized_class", "ddt.ddt", "nose_parameterized.")


def is_test_case(cls: Class, evaluator: Evaluator) -> bool:
    """Whether ``cls`` derives from ``unittest.TestCase``, also by way of a framework that is known to do so."""
    return any(
        isinstance(base, External) and (base.name in TEST_CASES or _of_framework(base.name))
        for base in evaluator.mro(cls)
    )


def _of_framework(name: str) -> bool:
    return name.startswith(_FRAMEWORKS) and name.endswith(("TestCase", "AsyncTestCase", "LiveServerTestCase"))


def may_be_test_case(cls: Class, evaluator: Evaluator) -> bool:
    """Whether a base outside the tree, or one that is not known, may make a TestCase of a class of any name."""
    bases = evaluator.mro(cls)
    return any(
        isinstance(base, Unknown) or (isinstance(base, External) and "Test" in base.name.rpartition(".")[2])
        for base in bases
    ) and any(name.startswith("test") for base in bases if isinstance(base, Class) for name in base.namespace)


def unknown_part(cls: Class, evaluator: Evaluator) -> str:
    """Why it is not known what ``cls`` holds: a base, metaclass or decorator outside the tree; empty if it is."""
    for base in evaluator.mro(cls):
        if isinstance(base, Unknown):
            return base.reason
        if isinstance(base, External):
            if base.name not in _READ and standard_class(base.name) is None:
                return f"its base {base.name} is not in the tree"
        elif isinstance(base, Class):
            for wrapper in base.wrappers:
                name = wrapper.name if isinstance(wrapper, External | Class | Function) else ""
                if name.startswith(_MULTIPLIERS):
                    return f"{name} rewrites the class"
    return _unknown_metaclass(cls, evaluator)


def _unknown_metaclass(cls: Class, evaluator: Evaluator) -> str:
    for base in evaluator.mro(cls):
        meta = base.keywords.get("metaclass") if isinstance(base, Class) else None
        if meta is not None and not (isinstance(meta, External) and meta.name in {"abc.ABCMeta", "builtins.type"}):
            return f"the metaclass of {cls.name} may add to it"
        if isinstance(base, Class) and base is not cls and "__init_subclass__" in base.namespace:
            return f"__init_subclass__ of {base.name} may add to it"
    return ""


def has_constructor(cls: Class, evaluator: Evaluator) -> bool:
    """Whether any class of the MRO but ``object`` defines ``__init__`` or ``__new__``, also through a decorator.

    Raises:
        Elsewhere: a base is not known.
    """
    for base in evaluator.mro(cls):
        if isinstance(base, Class):
            if "__init__" in base.namespace or "__new__" in base.namespace or _built(base):
                return True
        elif isinstance(base, External):
            if base.name in _TRANSPARENT:
                continue
            if base.name in _CONSTRUCTED:
                return True
            real = standard_class(base.name)
            if real is None:
                raise Elsewhere(f"its base {base.name} is not in the tree")
            if any({"__init__", "__new__"} & vars(one).keys() for one in real.__mro__ if one is not object):
                return True
        else:
            raise Elsewhere(base.reason if isinstance(base, Unknown) else "a base is not known")
    return False


def _built(cls: Class) -> bool:
    """Whether a decorator gives ``cls`` its constructor, as those of dataclasses and attrs do."""
    for node in cls.node.decorator_list:
        if dotted_by(node, cls.module) in _BUILDERS:
            keywords = node.keywords if isinstance(node, ast.Call) else []
            if not any(word.arg == "init" and _is_false(word.value) for word in keywords):
                return True
    return False


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def is_abstract(cls: Class, evaluator: Evaluator) -> bool:
    """Whether ``cls`` has ABCMeta for its metaclass and an abstract method that nothing overrides."""
    bases = evaluator.mro(cls)
    if not any(_has_abc_meta(base) for base in bases):
        return False
    decided: set[str] = set()
    for base in bases:
        if not isinstance(base, Class):
            continue
        for name, binding in base.namespace.items():
            if name in decided:
                continue
            decided.add(name)
            if isinstance(binding.value, Function) and _is_abstract_method(binding.value):
                return True
    return False


def _has_abc_meta(base: object) -> bool:
    if isinstance(base, External):
        return base.name in {"abc.ABC", "typing.Protocol"} or base.name.startswith("collections.abc.")
    meta = base.keywords.get("metaclass") if isinstance(base, Class) else None
    return isinstance(meta, External) and meta.name == "abc.ABCMeta"


def _is_abstract_method(function: Function) -> bool:
    return any(isinstance(one, External) and one.name in _ABSTRACT for one in function.decorators)
