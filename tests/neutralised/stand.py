"""A tree in memory with what its properties are, so that fingerprints can be taken of it."""

from __future__ import annotations

import ast
import configparser
import tomllib
from typing import TYPE_CHECKING

from gatekeeper.source.collection.items import Found
from gatekeeper.source.collection.target import Target
from gatekeeper.source.evaluate.values import Module
from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.fingerprint.closure import Prints

if TYPE_CHECKING:
    from collections.abc import Mapping


def prints(files: Mapping[str, str]) -> Prints:
    data = MemoryFiles({path: text.encode() for path, text in files.items()})
    where, config = settings(files)
    def modname(path):
        for r in ("src/", "tests/deep/", "tests/", ""):
            if path.startswith(r): return path[len(r):].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    def mod(path):
        try: return Module(modname(path), path, ast.parse(files[path]))
        except (KeyError, SyntaxError): return None
    def search(dotted, path):
        roots = ["tests/deep", "tests", *config.get("pythonpath", "src").split(), ""]
        for root in roots:
            stem = (root + "/" if root else "") + dotted.replace(".", "/")
            for p in (stem + "/__init__.py", stem + ".py"):
                if p in files: return p
        return None
    def target(nodeid):
        path, _, rest = nodeid.partition("::")
        m = mod(path)
        if m is None: return None
        cs = [p for p in ("conftest.py", "tests/conftest.py", "tests/deep/conftest.py") if p in files and path.startswith(p.removesuffix("conftest.py"))]
        plugins = [p for p in ("tests/quiet.py",) if any("pytest_plugins" in (files.get(c) or "") or "-p" in config.get("addopts", "") for c in cs) and p in files]
        return Target(Found(nodeid, "unknown"), None, (), m, tuple(mod(c) for c in cs if mod(c)), tuple(mod(p) for p in plugins), (), (), config)
    return Prints(data, target, search, roots=["", "tests", "tests/deep", "src"], config_path=where)


def settings(files):
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml"):
        if name not in files: continue
        t = files[name]
        if name.endswith("ini"):
            c = configparser.ConfigParser(); c.read_string(t)
            return name, dict(c["pytest"]) if c.has_section("pytest") else {}
        d = tomllib.loads(t)
        if name == "pyproject.toml": d = d.get("tool", {}); d = d.get("pytest", {})
        d = d.get("pytest", d) if name != "pyproject.toml" else (d.get("ini_options", d))
        def tx(v): return " ".join(f"'{x}'" if " " in x else x for x in v) if isinstance(v, list) else str(v)
        return name, {k: tx(v) for k, v in d.items() if not isinstance(v, dict)}
    return "", {}
