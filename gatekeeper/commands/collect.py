"""``gatekeeper collect``: what pytest would collect from a revision, without pytest and without running anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatekeeper.collecting import collected
from gatekeeper.commands._opened import opened
from gatekeeper.contracts.properties import read_properties
from gatekeeper.entry.guard import say
from gatekeeper.errors import UsageError
from gatekeeper.render.escape import escape
from gatekeeper.source.collection.items import EXACT, Invocation
from gatekeeper.source.gitfiles import GitTree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.collecting import Part
    from gatekeeper.context import Context
    from gatekeeper.model import Oid
    from gatekeeper.source.collection.items import Found, Trouble

_INCOMPLETE = 1
_VERSION_PARTS = 2


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("revision", default="HEAD")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--pytest", "pytest_version", metavar="X.Y", help="The pytest that is followed, 7.4 or later.")
@click.option("--python", "python_version", metavar="X.Y", help="The Python that the suite is run with.")
@click.option("--plugin", "plugins", multiple=True, metavar="NAME", help="A plugin that is installed beside pytest.")
@click.option("--cwd", help="The directory in which pytest is run, relative to the top of the tree.")
@click.option("--policy", type=click.Path(path_type=Path), help="The server's policy file.  [default: built-in]")
@click.option("--repo", type=click.Path(path_type=Path), default=".", help="A work tree or git directory.")
def collect(  # noqa: PLR0913, PLR0917 (one argument an option)
    revision: str,
    args: tuple[str, ...],
    form: str,
    pytest_version: str | None,
    python_version: str | None,
    plugins: tuple[str, ...],
    cwd: str | None,
    policy: Path | None,
    repo: Path,
) -> int:
    """Print the nodeids that `pytest --collect-only -q ARGS` would, at REVISION.

    ARGS are what pytest would be given: paths, nodeids, options. How pytest is run comes from the `[collect]` table of
    contracts/properties.toml there; ARGS and options replace what it says. A function whose ids cannot be told stands
    there by its bare name.

    Exit code: 0 when everything is told, 1 when something fails to collect or cannot be told, 3 when nothing is.
    """
    with opened(repo, policy, revision) as (ctx, trees):
        how = _invocation(ctx, trees[0])
        how = how._replace(
            args=args or how.args,
            pytest=_version("--pytest", pytest_version) or how.pytest,
            python=_version("--python", python_version) or how.python,
            plugins=plugins or how.plugins,
            cwd=how.cwd if cwd is None else cwd.strip("/"),
        )
        parts = collected(GitTree(ctx.objects, trees[0]), how)
        return _print_json(parts, how) if form == "json" else _print_text(parts)


def _invocation(ctx: Context, tree: Oid) -> Invocation:
    """How the contract of the revision says that pytest is run."""
    entry = ctx.objects.find(tree, ctx.policy.locations["properties"])
    return Invocation() if entry is None else read_properties(ctx.objects.blob(entry.oid)).invocation


def _version(option: str, said: str | None) -> tuple[int, int] | None:
    if said is None:
        return None
    parts = said.split(".")
    if len(parts) < _VERSION_PARTS or not all(part.isascii() and part.isdigit() for part in parts):
        raise UsageError(f"{option} {said} is no version", fix=f"write the first two numbers: {option} 9.2")
    return int(parts[0]), int(parts[1])


def _print_text(parts: Iterable[Part]) -> int:
    count = bare = deselected = 0
    errors: list[Trouble] = []
    opaque: list[Trouble] = []
    for part in parts:
        for found in part.found:
            lines = found.nodeids if found.verdict == EXACT else [found.node]
            bare += found.verdict != EXACT
            count += len(lines)
            say("".join(f"{escape(line)}\n" for line in lines), 1)
        errors += part.errors
        opaque += part.opaque
        deselected += part.deselected
    summary = [f"{count} {'test' if count == 1 else 'tests'} collected"]
    if deselected:
        summary[0] = f"{count}/{count + deselected} tests collected ({deselected} deselected)"
    if bare:
        summary.append(f"{bare} of them by function, whose ids cannot be told")
    say("\n" + ", ".join(summary) + "\n", 1)
    say("".join(_trouble("fails to collect", one) for one in errors))
    say("".join(_trouble("cannot be told", one) for one in opaque))
    return _INCOMPLETE if errors or opaque else 0


def _trouble(what: str, one: Trouble) -> str:
    line = f":{one.line}" if one.line else ""
    return f"{escape(one.path)}{line} {what}: {escape(one.reason)}\n"


def _print_json(parts: Iterable[Part], how: Invocation) -> int:
    tests: list[dict[str, object]] = []
    document: dict[str, object] = {
        "version": 1,
        "invocation": {
            **dict(zip(how._fields, how, strict=True)),
            "pytest": _dotted(how.pytest),
            "python": _dotted(how.python),
        },
        "tests": tests,
    }
    errors: list[dict[str, object]] = []
    opaque: list[dict[str, object]] = []
    deselected = 0
    for part in parts:
        tests += map(_test, part.found)
        errors += map(_said, part.errors)
        opaque += map(_said, part.opaque)
        deselected += part.deselected
        if part.rootdir is not None:
            document |= {"rootdir": part.rootdir, "config": part.config}
    document |= {"errors": errors, "not_static": opaque, "deselected": deselected}
    say(json.dumps(document, indent=1) + "\n", 1)
    return _INCOMPLETE if errors or opaque else 0


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _test(found: Found) -> dict[str, object]:
    return {
        "function": found.node,
        "verdict": found.verdict,
        "nodeids": found.nodeids,
        "reason": found.reason,
        "conditions": list(found.conditions),
        "path": found.path,
        "line": found.line,
    }


def _said(one: Trouble) -> dict[str, object]:
    return {"path": one.path, "line": one.line, "reason": one.reason}
