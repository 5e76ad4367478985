"""What is protected, writable and bounded when nobody has said otherwise: safe for a Python project of any layout.

A protected name also protects a file, link or gitlink of exactly that name, and names that are absent at the trusted
ref are protected too: an empty ``.pytest.ini`` takes over from ``pyproject.toml`` the moment it exists.
"""

from __future__ import annotations

CONTRACTS: tuple[bytes, ...] = (
    b"/contracts",
    b"/ci/contract.allow",
    b"/ci/fixtures.lock",
    b"/ci/flake-ledger.jsonl",
)
"""GK102: both seeds' layouts; the locations that a policy names are added to these."""

GIT_CONTROL: tuple[bytes, ...] = (
    b".gitattributes",
    b".gitmodules",
    b".gitignore",
    b".lfsconfig",
    b".mailmap",
    b".git-blame-ignore-revs",
)
"""GK107: names through which git itself is steered (gitattributes(5), gitmodules(5), git-lfs-config)."""

CONFIG: tuple[bytes, ...] = (
    # pytest and its rivals: each of the first four takes over from pyproject.toml even when empty (pytest findpaths.py)
    *(b"pytest.ini", b".pytest.ini", b"pytest.toml", b".pytest.toml", b"conftest.py", b"tox.ini", b"setup.cfg"),
    *(
        b"tox.toml",
        b"noxfile.py",
        b"nose.cfg",
        b".noserc",
        b"unittest.cfg",
        b".testr.conf",
        b".stestr.conf",
        b"hatch.toml",
    ),
    *(
        b".coveragerc",
        b".coverage",
        b".coverage.*",
        b".coveragerc.*",
        b".hypothesis",
        b".pytest_cache",
        b".tox",
        b".nox",
    ),
    # what the interpreter loads because it exists (site.py, importlib.metadata)
    *(b"sitecustomize.py", b"usercustomize.py", b"sitecustomize", b"usercustomize", b"*.pth", b"pyvenv.cfg"),
    *(b"*.dist-info", b"*.egg-info", b"*.egg-link", b"*.egg", b"entry_points.txt"),
    # build and packaging
    *(
        b"pyproject.toml",
        b"setup.py",
        b"MANIFEST.in",
        b"meson.build",
        b"CMakeLists.txt",
        b"/BUILD",
        b"BUILD.bazel",
        b"/WORKSPACE",
    ),
    *(
        b"Makefile",
        b"makefile",
        b"GNUmakefile",
        b"*.mk",
        b"justfile",
        b".justfile",
        b"Taskfile.*",
        b"/tasks.py",
        b"/dodo.py",
    ),
    *(b"/fabfile.py", b"/Rakefile", b"/wscript", b"/SConstruct", b"/build.py", b"pants.toml"),
    # dependencies and environments
    *(b"requirements*.txt", b"requirements*.in", b"/requirements", b"constraints*.txt", b"dev-requirements*.txt"),
    *(b"test-requirements*.txt", b"Pipfile", b"Pipfile.lock", b"poetry.lock", b"poetry.toml", b"uv.lock", b"uv.toml"),
    *(b"pdm.lock", b"pdm.toml", b"pylock*.toml", b"pixi.toml", b"pixi.lock", b"/environment.yml", b"/environment.yaml"),
    *(b"conda-lock.yml", b"pip.conf", b".pypirc", b".python-version", b".tool-versions", b"mise.toml", b"/runtime.txt"),
    *(b".env", b".env.*", b".envrc", b".flaskenv", b"package.json", b"package-lock.json", b"flake.nix", b"shell.nix"),
    *(
        b"Dockerfile*",
        b"Containerfile*",
        b".dockerignore",
        b"docker-compose*",
        b"compose.yaml",
        b"compose.yml",
        b".devcontainer",
    ),
    # CI and governance
    *(b"/ci", b"/.ci", b".github", b".gitlab-ci.yml", b".gitlab", b".gitea", b".forgejo", b".circleci", b".buildkite"),
    *(b".travis.yml", b"azure-pipelines*", b".azure-pipelines", b"Jenkinsfile*", b".drone.yml", b".woodpecker*"),
    *(b"bitbucket-pipelines.yml", b"appveyor.yml", b".appveyor.yml", b".cirrus.*", b".teamcity", b"cloudbuild.yaml"),
    *(b".semaphore", b".zuul.yaml", b".zuul.d", b"CODEOWNERS", b".mergify.yml", b"codecov.yml", b".codecov.yml"),
    *(b"dependabot.yml", b"renovate.json*", b".renovaterc*"),
    # checkers: what they are told to ignore is a verdict too
    *(b".pre-commit-config.yaml", b".pre-commit-hooks.yaml", b"mypy.ini", b".mypy.ini", b"ruff.toml", b".ruff.toml"),
    *(
        b".flake8",
        b".pylintrc",
        b"pylintrc",
        b"pyrightconfig.json",
        b".bandit",
        b".importlinter",
        b".isort.cfg",
        b"gatekeeper.toml",
    ),
)
"""GK109: what configures the test runner, CI, the build or the dependencies, or acts merely by being there."""

TESTS: tuple[bytes, ...] = (
    b"tests",
    b"test",
    b"/testing",
    b"test_*.py",
    b"*_test.py",
    b"tests.py",
    b"test.py",
    b"test_*.txt",
)
"""GK101: test trees at any depth and test-named files outside them (pytest's python_files, Django's tests.py)."""

UNWRITABLE: tuple[bytes, ...] = (
    *(b"__pycache__", b"*.pyc", b"*.pyo", b"*.pyd", b"*.so", b"*.so.*", b"*.dll", b"*.dylib", b"*.a", b"*.o", b"*.obj"),
    *(
        b"*.exe",
        b"*.bin",
        b"*.wasm",
        b"*.node",
        b"*.whl",
        b"*.zip",
        b"*.pyz",
        b"*.jar",
        b"*.tar",
        b"*.tgz",
        b"*.gz",
        b"*.xz",
        b"*.bz2",
    ),
)
"""Never writable for an agent, wherever it lies: compiled, native and packed files, which nobody can review (GK103)."""

NOT_ROOTS: frozenset[bytes] = frozenset(
    (
        *(
            b"test",
            b"tests",
            b"testing",
            b"testdata",
            b"doc",
            b"docs",
            b"build",
            b"dist",
            b"example",
            b"examples",
            b"sample",
        ),
        *(
            b"samples",
            b"benchmark",
            b"benchmarks",
            b"bench",
            b"script",
            b"scripts",
            b"tool",
            b"tools",
            b"ci",
            b"contracts",
        ),
        *(b"vendor", b"third_party", b"node_modules", b"venv", b"env", b"site-packages", b"hooks", b"requirements"),
    )
)
"""Top-level directories that are no import root even with an ``__init__.py``; compared folded."""

NOT_MODULES: frozenset[bytes] = frozenset(
    (b"manage.py", b"wsgi.py", b"asgi.py", b"versioneer.py", b"ez_setup.py", b"bootstrap.py")
)
"""Top-level ``.py`` files that are scripts of the project, not modules of its package; compared folded."""

AGENT_REFS: tuple[bytes, ...] = (b"refs/heads/agent/**",)
ADDITIVE: tuple[bytes, ...] = (b"tests/**/test_*.py",)
DEADLINE = 30
TICKET = "[A-Z][A-Z0-9]+-[0-9]+"

LIMITS: dict[str, int] = {
    "paths": 10_000,
    "commits": 10_000,
    "entries": 2_000_000,
    "depth": 256,
    "object_bytes": 16 << 20,
    "blob_bytes": 8 << 20,
    "findings": 1_000,
}
"""``paths`` and ``commits`` bound an agent's push, the others what is read for any; ``findings`` are kept per ref."""

LOCATIONS: dict[str, str] = {
    "policy": "contracts/policy.toml",
    "properties": "contracts/properties.toml",
    "fixtures": "contracts/fixtures.lock",
    "flake_budget": "contracts/flake_budget.json",
    "flake_ledger": "contracts/flake-ledger.jsonl",
    "allow": "contracts/contract.allow",
}
"""Where the contract files of the trusted ref lie (seed 000's layout; seed 004's ``ci/…`` by policy)."""
