"""The releases whose suites are collected, and how their own developers run pytest on them."""

from __future__ import annotations

from typing import NamedTuple


class Project(NamedTuple):
    """One release with its tests.

    ``wheel`` says that the tests are in the wheel (there is no need to build anything), else the source distribution is
    unpacked. ``needs`` are what its tests import beside the release itself, ``plugins`` the names that ``-p`` gets,
    ``installed`` the distributions of them as :class:`~gatekeeper.source.collection.items.Invocation` knows them.
    ``modules`` are those that its tests try to import and that are there, or with a ``!`` are not. ``static`` is False
    for a suite that is known to rewrite collection.
    """

    name: str
    version: str
    needs: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    pytest: str = "9.2.0"
    wheel: bool = False
    static: bool = True

    @property
    def release(self) -> str:
        """What pip calls it."""
        return f"{self.name}=={self.version}"


PEERS = ("cito==0.3.0", "rtest==0.0.47")

PROJECTS = (
    Project("attrs", "26.1.0", ("hypothesis", "pympler", "cloudpickle")),
    Project("click", "8.5.1"),
    # test_cli.py imports a private name that pytest 9.1 no longer has
    Project("flask", "3.1.3", ("asgiref", "greenlet", "python-dotenv"), pytest="9.0.3"),
    Project(
        "httpx",
        "0.28.1",
        ("httpx[brotli,cli,http2,socks,zstd]", "chardet", "cryptography", "trio", "trustme", "uvicorn"),
        ("anyio",),
        ("anyio",),
    ),
    Project("jinja2", "3.1.6", ("trio",)),
    Project("more-itertools", "11.2.1"),
    Project("packaging", "26.4", ("hypothesis", "pretend", "tomli_w")),
    Project("pluggy", "1.7.0"),
    Project(
        "requests",
        "2.34.2",
        ("requests[socks]", "pytest-httpbin==2.1.0", "httpbin~=0.10.0", "pytest-mock", "trustme"),
        ("httpbin", "pytest_mock"),
        ("pytest-httpbin", "pytest-mock"),
    ),
    Project(
        "starlette",
        "1.10.0",
        ("starlette[full]", "httpx2[zstd]", "blockbuster", "opentelemetry-sdk", "trio"),
        ("anyio",),
        ("anyio",),
    ),
    Project(
        "werkzeug",
        "3.1.9",
        ("cffi", "cryptography", "ephemeral-port-reserve", "pytest-timeout", "watchdog"),
        ("timeout",),
        ("pytest-timeout",),
    ),
    Project(
        "anyio",
        "4.16.0",
        (
            "blockbuster",
            "hypothesis",
            "psutil",
            "pytest-mock",
            "pytest-timeout",
            "trio",
            "trustme",
            "truststore",
            "uvloop",
        ),
        (),
        ("anyio", "pytest-mock", "pytest-timeout"),
        modules=("uvloop", "trio"),
    ),
    Project(
        "pydantic",
        "2.14.4",
        (
            *(
                "pydantic[email,timezone]",
                "pytz",
                "dirty-equals",
                "pytest-mock",
                "pytest-examples",
                "faker",
                "jsonschema",
            ),
            *("pytest-benchmark", "pytest-run-parallel", "packaging", "time-machine", "cloudpickle", "sqlalchemy"),
        ),
        ("benchmark", "pytest_mock", "run-parallel", "examples"),
        ("pytest-benchmark", "pytest-mock", "pytest-run-parallel", "pytest-examples"),
    ),
    Project("networkx", "3.6.1", ("networkx[default]", "lxml", "pydot")),
    Project(
        "pandas",
        "3.1.1",
        ("hypothesis", "pytz", "pytest-xdist"),
        (),
        (),
        ("pandas",),
        modules=("!pyarrow", "pytz"),
        wheel=True,
    ),
    Project("scikit-learn", "1.9.1", ("pandas",), (), (), ("sklearn", "--doctest-modules"), wheel=True),
    Project("sqlalchemy", "2.1.9", ("greenlet", "pytest-xdist"), static=False),
)
