"""Marks that nobody registers: where pytest is strict about them, a file that uses one cannot be imported."""

from __future__ import annotations

import re

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.source.collection.config import Config

OWN = words("skip skipif xfail parametrize usefixtures filterwarnings tryfirst trylast hookwrapper optionalhook")
PLUGINS = words("""
    hypothesis asyncio anyio trio timeout django_db urls ignore_template_errors benchmark flaky repeat order dependency
    vcr block_network default_cassette freeze_time httpx_mock respx time_machine socket enable_socket disable_socket
    allow_hosts xdist_group forked no_cover mpl_image_compare remote_data asyncio_cooperative run first last randomize
    parallel_threads thread_unsafe iterations memray limit_memory celery twisted gen_test
    """)
"""Marks that well-known plugins register where they are installed."""
_USE = re.compile(rb"\bmark\.([A-Za-z_]\w*)")
_LINE = re.compile(rb"""["']markers["'],\s*f?["']\s*([A-Za-z_]\w*)""")

_COMPUTED = re.compile(rb"""["']markers["'],\s*[A-Za-z_]""")
"""A line that is not written out: what is described as a mark anywhere in the source may be it."""
_DESCRIBED = re.compile(rb"""["']([A-Za-z_]\w*)(?:\([^"'\n]*\))?:""")


def is_strict(config: Config) -> bool:
    """Whether a mark that is not registered is an error: by its own option, or as a warning among errors."""
    if config.version < (9, 0):
        strict = config.options.has("--strict-markers", "--strict")
    else:
        strict = config.flag("strict_markers")
    return strict or any(line.partition(":")[0].strip() == "error" for line in config.words("filterwarnings"))


def registered(config: Config, sources: Iterable[bytes]) -> frozenset[str]:
    """The names of all marks that the settings, or lines in ``sources`` of conftest.py files and plugins, register."""
    found = {re.split(r"[:(]", line, maxsplit=1)[0].strip() for line in config.words("markers")}
    for source in sources:
        found.update(match.decode() for match in _LINE.findall(source))
        if _COMPUTED.search(source):
            found.update(match.decode() for match in _DESCRIBED.findall(source))
    return OWN | PLUGINS | found


def unregistered(source: bytes, known: frozenset[str]) -> tuple[str, ...]:
    """A condition for each mark that ``source`` seems to use and nobody registers."""
    used = {match.decode() for match in _USE.findall(source)}
    return tuple(f"mark {name} is registered" for name in sorted(used - known))
