"""``gatekeeper contract``: the public API of a revision, what moved between two, and the rows that allow it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gatekeeper.commands._opened import opened
from gatekeeper.contracts.allow import line_for
from gatekeeper.entry.guard import say
from gatekeeper.source.compare.surfaces import by_symbol, compare
from gatekeeper.source.digest import digest as digest_of
from gatekeeper.source.rows import short_hash
from gatekeeper.source.show import show as show_value
from gatekeeper.surfaces import read_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gatekeeper.source.compare.surfaces import Move, SymbolMove
    from gatekeeper.source.reading import Read
    from gatekeeper.source.rows import Row

    Command = Callable[..., Any]

_BREAKS = 1


class _Wanted(NamedTuple):
    repo: Path
    policy: Path | None
    roots: tuple[str, ...]


def _options(command: Command) -> Command:
    """The options that every subcommand takes."""
    for option in (
        click.option("--output-format", "form", type=click.Choice(["text", "json", "markdown"]), default="text"),
        click.option("--root", "roots", multiple=True, metavar="DIR", help="An import root.  [default: found]"),
        click.option(
            "--policy", type=click.Path(path_type=Path), help="The server's policy file.  [default: built-in]"
        ),
        click.option("--repo", type=click.Path(path_type=Path), default=".", help="A work tree or git directory."),
    ):
        command = option(command)
    return command


@click.group()
def contract() -> None:
    """Read the public API from git objects: nothing is imported, run or checked out."""


@contract.command()
@click.argument("revision", default="HEAD")
@_options
def digest(revision: str, repo: Path, policy: Path | None, roots: tuple[str, ...], form: str) -> None:
    """Print the digest of the public API at REVISION, as an allow file takes it."""
    (read,) = _surfaces(_Wanted(repo, policy, roots), revision)
    modules = digest_of(read.rows).modules
    if form == "json":
        click.echo(
            json.dumps(
                {"version": 1, "digest": read.digest, "rows": len(read.rows), "modules": dict(modules)}, indent=2
            )
        )
    elif form == "markdown":
        lines = [f"`{read.digest}`", "", "| module | digest |", "|---|---|"]
        click.echo("\n".join([*lines, *(f"| `{name}` | `{value[:12]}` |" for name, value in modules.items())]))
    else:
        click.echo(read.digest)


@contract.command()
@click.argument("revision", default="HEAD")
@_options
def show(revision: str, repo: Path, policy: Path | None, roots: tuple[str, ...], form: str) -> None:
    """Print every row of the public API at REVISION, one a line, in an order that does not change."""
    (read,) = _surfaces(_Wanted(repo, policy, roots), revision)
    if form == "json":
        click.echo(
            json.dumps({"version": 1, "digest": read.digest, "rows": [_row(row) for row in read.rows]}, indent=2)
        )
    elif form == "markdown":
        lines = ["| symbol | kind | said | row |", "|---|---|---|---|"]
        lines += [f"| `{row.path}` | {row.kind} | `{_cell(_said(row))}` | `{short_hash(row)}` |" for row in read.rows]
        click.echo("\n".join(lines))
    else:
        lines = [f"gatekeeper-contract-v1 {read.digest}"]
        lines += [f"{short_hash(row)} {row.kind} {row.path}{_said(row)}{_when(row)}" for row in read.rows]
        say("".join(f"{line}\n" for line in lines), 1)


@contract.command()
@click.argument("base", required=False)
@click.argument("head", default="HEAD")
@_options
def diff(base: str | None, head: str, repo: Path, policy: Path | None, roots: tuple[str, ...], form: str) -> int:
    """Print what moved between the merge base of BASE and HEAD, and HEAD.

    Exit code: 0 when no move needs a row of the allow file whatever the policy says of additions, else 1.
    """
    old, new = _surfaces(_Wanted(repo, policy, roots), base, head)
    symbols = by_symbol(compare(old.rows, new.rows))
    if form == "json":
        document = {
            "version": 1,
            "base": old.digest,
            "head": new.digest,
            "moves": [_symbol(symbol) for symbol in symbols],
        }
        click.echo(json.dumps(document, indent=2))
    elif form == "markdown":
        click.echo(_markdown(symbols))
    else:
        say("".join(f"{line}\n" for line in _text(symbols, old, new)), 1)
    return _BREAKS if any(symbol.needs_row for symbol in symbols) else 0


@contract.command()
@click.argument("base", required=False)
@click.argument("head", default="HEAD")
@_options
def allow(base: str | None, head: str, repo: Path, policy: Path | None, roots: tuple[str, ...], form: str) -> None:
    """Print the lines that a person would add to the allow file for what moved between BASE and HEAD.

    The ticket and the reason are placeholders: a line that keeps them is refused.
    """
    old, new = _surfaces(_Wanted(repo, policy, roots), base, head)
    symbols = [symbol for symbol in by_symbol(compare(old.rows, new.rows)) if symbol.severity != "neutral"]
    lines = [line_for(row.severity, row.kind, row.path, row.old_hash, row.new_hash) for row in symbols]
    if form == "json":
        click.echo(json.dumps({"version": 1, "rows": lines, "digest": f"digest {old.digest}..{new.digest}"}, indent=2))
    elif form == "markdown":
        click.echo("\n".join(["```", *lines, "```"]))
    else:
        say("".join(f"{line}\n" for line in lines), 1)


def _surfaces(wanted: _Wanted, *revisions: str | None) -> list[Read]:
    """The surfaces of one revision, or of the merge base of two and the second."""
    with opened(wanted.repo, wanted.policy, *revisions) as (ctx, trees):
        return read_trees(ctx, trees, tuple(root.strip("/") for root in wanted.roots))


def _row(row: Row) -> dict[str, object]:
    return {**dict(zip(row._fields, row, strict=True)), "hash": short_hash(row)}


def _said(row: Row) -> str:
    """A row's payload on one line."""
    payload = row.payload
    if row.kind == "function":
        shown = ", ".join(_parameter(one) for one in payload["params"])
        flags = "".join(f" {flag}" for flag in payload["flags"])
        returns = "" if payload["returns"] is None else f" -> {show_value(payload['returns'])}"
        return f"({shown}){returns}{flags and ' [' + flags.strip() + ']'}"
    if row.kind == "class":
        bases = ", ".join(map(show_value, (*payload["bases"], *payload["external"])))
        return f"({bases}) [{payload['flavour']}]"
    if row.kind == "attribute":
        kind = "" if payload["annotation"] is None else f": {show_value(payload['annotation'])}"
        return kind + ("" if payload["value"] is None else f" = {show_value(payload['value'])}")
    if row.kind in ("alias", "inherits"):
        return f" -> {payload['of']}"
    return f" {json.dumps(payload, sort_keys=True)}" if payload else ""


def _parameter(row: Sequence[Any]) -> str:
    slot, name, default, annotation = row
    mark = {"var": "*", "kw": "**", "kwo": "*, "}.get(slot, "")
    named = "/" if slot == "pos" else "" if slot in ("var", "kw") else name
    kind = "" if annotation is None else f": {show_value(annotation)}"
    return f"{mark}{named}{kind}" + ("" if default is None else f"={show_value(default)}")


def _when(row: Row) -> str:
    return f"  if {row.guard}" if row.guard else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")


def _symbol(symbol: SymbolMove) -> dict[str, object]:
    return {
        "symbol": symbol.path,
        "severity": symbol.severity,
        "kind": symbol.kind,
        "row": line_for(symbol.severity, symbol.kind, symbol.path, symbol.old_hash, symbol.new_hash),
        "moves": [_move(move) for move in symbol.moves],
    }


def _move(move: Move) -> dict[str, object]:
    row = move.new or move.old
    said = {"kind": move.kind, "severity": move.severity, "message": move.message, "witness": move.witness}
    where = {"file": None, "line": None} if row is None else {"file": row.file, "line": row.line}
    return {**said, "guard": move.guard, **where}


def _text(symbols: Sequence[SymbolMove], old: Read, new: Read) -> list[str]:
    lines = []
    for symbol in symbols:
        for move in symbol.moves:
            row = move.new or move.old
            place = f"{row.file}:{row.line}: " if row is not None and row.file else ""
            lines.append(f"{place}{move.severity} {move.kind} {move.path}: {move.message}")
    counts = {
        word: sum(symbol.severity == word for symbol in symbols)
        for word in ("breaking", "silent", "opaque", "addition")
    }
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "nothing moved"
    return [*lines, f"{said}; digest {old.digest[:12]}..{new.digest[:12]}"]


def _markdown(symbols: Sequence[SymbolMove]) -> str:
    lines = ["| symbol | severity | kind | what |", "|---|---|---|---|"]
    for symbol in symbols:
        lines += [f"| `{move.path}` | {move.severity} | {move.kind} | {_cell(move.message)} |" for move in symbol.moves]
    return "\n".join(lines)
