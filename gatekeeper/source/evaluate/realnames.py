"""The ``__name__`` of what the standard library defines, where it is a class, a function or a module.

``builtins.IOError`` is named ``OSError`` and ``os.path`` ``posixpath``, so the real object is asked. The modules are
imported here, by name, before a worker gives up opening files; what is in none of them is not known.
"""

from __future__ import annotations

import types

from gatekeeper.source.evaluate.standard import MODULES

_UNNAMED = {
    f"builtins.{kind.__name__}": kind for kind in (type(None), type(...), types.FunctionType, types.BuiltinFunctionType)
}
"""Types that no module holds under their name."""


def standard_name(dotted: str) -> str | None:
    """The name of what ``dotted`` (``collections.OrderedDict``) is; None where that is not known."""
    found = _find(dotted)
    if not (isinstance(found, type | types.ModuleType) or callable(found)):
        return None
    own = getattr(found, "__name__", None)
    return own if isinstance(own, str) else None


def standard_class(dotted: str) -> type | None:
    """The class that ``dotted`` is; None where it is none, or not known."""
    found = _find(dotted)
    return found if isinstance(found, type) else None


def _find(dotted: str) -> object:
    if dotted in MODULES:
        return MODULES[dotted]
    if dotted in _UNNAMED:
        return _UNNAMED[dotted]
    module, _, name = dotted.rpartition(".")
    if module in MODULES:
        return vars(MODULES[module]).get(name)
    above, _, outer = module.rpartition(".")
    owner = vars(MODULES[above]).get(outer) if above in MODULES else None
    found = vars(owner).get(name) if isinstance(owner, type) else None
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found
