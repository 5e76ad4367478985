"""Patterns of ``match`` against values that are known through and through."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Undecided
from gatekeeper.source.evaluate.operators import is_equal

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.frames import Frame
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value


def match(world: Interpreter, pattern: ast.pattern, subject: Value, frame: Frame) -> bool:
    """Whether a subject matches; names are bound on the way.

    Raises:
        Undecided: for a kind of pattern that is not followed.
    """
    if isinstance(pattern, ast.MatchValue):
        said = is_equal(world.evaluate(pattern.value, frame), subject)
        if said is None:
            raise Undecided("a case that is compared with something that is not known")
        return said
    if isinstance(pattern, ast.MatchSingleton):
        return subject is pattern.value
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None and not match(world, pattern.pattern, subject, frame):
            return False
        if pattern.name is not None:
            frame.bind(pattern.name, subject, pattern.lineno)
        return True
    if isinstance(pattern, ast.MatchOr):
        return any(match(world, one, subject, frame) for one in pattern.patterns)
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(world, pattern, subject, frame)
    raise Undecided("a pattern that is not followed")


def _sequence(world: Interpreter, pattern: ast.MatchSequence, subject: Value, frame: Frame) -> bool:
    if not isinstance(subject, list | tuple):
        return False
    if any(isinstance(one, ast.MatchStar) for one in pattern.patterns):
        raise Undecided("a starred pattern")
    if len(pattern.patterns) != len(subject):
        return False
    return all(match(world, one, item, frame) for one, item in zip(pattern.patterns, subject, strict=True))
