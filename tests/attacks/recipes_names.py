"""Names that are not what they look like: twins of protected paths, git's own names, entries of odd kinds and modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.attacks.catalogue import HUMAN, Attempt, Bench, attack, one_path, rows, send
from tests.attacks.workshop import gitlink, link, script

if TYPE_CHECKING:
    from tests.attacks.catalogue import Row

TWINS = tuple(
    one_path(row, "GK104", path.encode())
    for row, path in (
        ("G06.upper", "TESTS/test_encoder.py"),
        ("G06.deep", "src/pkg/Tests/x.py"),
        ("G06.conftest", "src/Conftest.py"),
        ("G06.suffix", "src/conftest.PY"),
        ("G06.named", "src/Test_encoder.py"),
        ("G06.contracts", "Contracts/properties.toml"),
        ("G06.workflow", ".GitHub/workflows/ci.yml"),
        ("G06.pyproject", "PyProject.toml"),
        ("G06.attributes", "src/.GITATTRIBUTES"),
        ("G06.modules", ".GitModules"),
        ("G07.zwsp", "src/con\u200bftest.py"),
        ("G07.bom", "\ufefftests/test_encoder.py"),
        ("G07.soft", "te\u00adsts/test_encoder.py"),
        ("G07.variation", "tests\ufe0f/test_encoder.py"),
        ("G07.bidi", "\u202etests/test_encoder.py"),
        ("G07.tag", "tests\U000e0061/test_encoder.py"),
        ("G07.contracts", "con\u200dtracts/properties.toml"),
        ("G07.modules", ".git\u200cmodules"),
        ("G07.wide", "\uff54ests/test_encoder.py"),
        ("G07.widedot", "src/conftest\uff0epy"),
        ("G07.longs", "te\u017fts/test_encoder.py"),
        ("G07.ligature", "te\ufb06s/test_encoder.py"),
        ("G07.circled", "\u24e3ests/test_encoder.py"),
        ("G07.kelvin", "ma\u212aefile"),
        ("G07.dot", "tests./test_encoder.py"),
        ("G07.space", "tests /test_encoder.py"),
        ("G07.spaced", "src/pkg/inline_test.py "),
        ("G07.dots", "src/conftest.py..."),
        ("G07.dotspace", "src/conftest.py. ."),
        ("G07.nbsp", "src/conftest.py\u00a0"),
        ("G07.ini", ".pytest.ini."),
    )
)

GIT_NAMES = tuple(
    one_path(row, code, path)
    for row, code, path in (
        ("G32.upper", "GK110", b".GIT/config"),
        ("G32.mixed", "GK110", b".Git/hooks/post-checkout"),
        ("G32.short", "GK110", b"git~1/config"),
        ("G32.space", "GK110", b".git /config"),
        ("G32.dot", "GK110", b".git./config"),
        ("G32.hfs", "GK110", ".g\u200cit/config".encode()),
        ("G32.stream", "GK110", b".git::$INDEX_ALLOCATION/config"),
        ("G32.backslash", "GK110", b".git\\config"),
        ("G32.deep", "GK110", b"src/pkg/.git/config"),
        ("G32.file", "GK110", b"src/.git"),
        ("G32.wide", "GK110", "\uff0egit/config".encode()),
        ("G14.src", "GK107", b"src/.gitattributes"),
        ("G14.ignore", "GK107", b"src/pkg/.gitignore"),
        ("G14.lfs", "GK107", b"src/.lfsconfig"),
        ("G14.mailmap", "GK107", b".mailmap"),
        ("G14.blame", "GK107", b".git-blame-ignore-revs"),
        ("G14.dir", "GK107", b"src/.gitattributes/x"),
        ("G14.tests", "GK107", b"tests/.gitattributes"),
        ("G34.src", "GK110", b"src\\conftest.py"),
        ("G05.tab", "GK110", b"src/a\tb.py"),
        ("G05.return", "GK110", b"src/a\rremote: accepted.py"),
        ("G05.escape", "GK110", b"src/\x1b[2Jx.py"),
        ("G05.delete", "GK110", b"src/\x7fx.py"),
        ("G05.c1", "GK110", "src/\u009b2Jx.py".encode()),
        ("G05.latin1", "GK110", b"src/caf\xe9.py"),
        ("G05.overlong", "GK110", b"src/\xc0\xae\xc0\xae.py"),
        ("G05.surrogate", "GK110", b"src/\xed\xa0\x80.py"),
        ("G44.tick", "GK110", b"src/`id`.py"),
        ("G44.semicolon", "GK110", b"src/a;id.py"),
        ("G44.pipe", "GK110", b"src/a|id"),
        ("G44.glob", "GK110", b"src/*.py"),
        ("G44.quote", "GK110", b"src/a'b.py"),
        ("G44.dash", "GK110", b"src/-rf"),
        ("G05.bidi", "GK110", "src/\u202eyp.x".encode()),
        ("G44.redirect", "GK110", b"src/a>b.py"),
        # 8.3 short names open the long-named file beside them on Windows
        ("G34.short", "GK110", b"src/pkg/INLINE~1.PY"),
        ("G34.shorttest", "GK104", b"src/pkg/TEST_I~1.PY"),
        ("G34.shorttop", "GK110", b"PYPROJ~1.TOM"),
        ("G34.stream", "GK104", b"src/conftest.py::$DATA"),
    )
)


def _by_human(row: str, path: bytes) -> Row:
    def build(bench: Bench) -> Attempt:
        return send(bench.edit({path: b"x = 1\n"}), b"refs/heads/topic", actor=HUMAN)

    return attack(row, codes={"GK110"}, title=f"a person's new file {path!r}")(build)


NAMES_BY_HUMANS = (
    _by_human("G32.human", b"docs/.GIT/config"),
    _by_human("G32.human-short", b"GIT~1/config"),
    _by_human("G05.human", b"docs/a\nb"),
    _by_human("G05.human-c1", "docs/\u009b2J".encode()),
)


@attack("G08.src", codes={"GK105"}, title="a new link inside the writable set")
def link_in_src(bench: Bench) -> Attempt:
    return bench.offer({b"src/data": link(b"../tests/fixtures")})


@attack("G08.outside", codes={"GK105"}, title="a link out of the repository")
def link_outside(bench: Bench) -> Attempt:
    return bench.offer({b"src/etc": link(b"/etc")})


@attack("G08.retarget", codes={"GK105"}, title="an existing link in src/ gets another target")
def link_retargeted(bench: Bench) -> Attempt:
    return bench.offer({b"src/current": link(b"../tests/test_encoder.py")})


@attack("G08.file", codes={"GK105"}, title="a source file becomes a link")
def source_to_link(bench: Bench) -> Attempt:
    return bench.offer({b"src/encoder.py": link(b"pkg/core.py")})


@attack("G08.root", codes={"GK105"}, title="a link beside src/")
def link_at_root(bench: Bench) -> Attempt:
    return bench.offer({b"lib": link(b"src")})


@attack("G08.new", codes={"GK105"}, title="a new link inside tests/")
def link_in_tests(bench: Bench) -> Attempt:
    return bench.offer({b"tests/test_more.py": link(b"test_encoder.py")})


@attack("G08.attributes", codes={"GK107"}, title=".gitattributes as a link")
def attributes_link(bench: Bench) -> Attempt:
    return bench.offer({b"src/.gitattributes": link(b"attributes")})


@attack("G10.src", codes={"GK105"}, title="a new submodule inside src/")
def gitlink_in_src(bench: Bench) -> Attempt:
    return bench.offer({b"src/vendored": gitlink("vendored")})


@attack("G10.file", codes={"GK105"}, title="a source file becomes a submodule")
def source_to_gitlink(bench: Bench) -> Attempt:
    return bench.offer({b"src/encoder.py": gitlink("encoder")})


@attack("G10.link", codes={"GK101", "GK105"}, title="src/ becomes a link")
def src_as_link(bench: Bench) -> Attempt:
    return bench.offer({b"src": link(b"lib"), b"lib": gitlink("lib")})


@attack("G10.unlinked", codes={"GK101"}, title="a submodule of the tests becomes a plain directory")
def gitlink_to_directory(bench: Bench) -> Attempt:
    return bench.offer({b"tests/vendor/x.py": b""})


@attack("G11.gone", codes={"GK107"}, title=".gitmodules is deleted")
def modules_gone(bench: Bench) -> Attempt:
    return bench.offer({b".gitmodules": None})


@attack("G12.modules", codes={"GK107"}, title="nothing but the mode of .gitignore changes")
def ignore_mode(bench: Bench) -> Attempt:
    return bench.offer({b".gitignore": script(b"__pycache__/\n")})


@attack("G12.pyproject", codes={"GK109"}, title="nothing but the mode of pyproject.toml changes")
def pyproject_mode(bench: Bench) -> Attempt:
    return bench.offer({b"requirements.txt": script(b"hypothesis==6.100.0\n")})


@attack("G30.src", codes={"GK101"}, title="src/ is deleted, with the tests inside it")
def src_gone(bench: Bench) -> Attempt:
    return bench.offer({b"src": None})


@attack("G01.directory", codes={"GK101"}, title="a test inside the package moves to another package")
def inline_moved(bench: Bench) -> Attempt:
    held = bench.seed.tip.files[b"src/pkg/test_inline.py"]
    return bench.offer({b"src/pkg/test_inline.py": None, b"src/other/test_inline.py": held})


@attack("G01.swap", codes={"GK101"}, title="two tests swap their contents")
def tests_swapped(bench: Bench) -> Attempt:
    files = bench.seed.tip.files
    first, second = b"tests/test_encoder.py", b"tests/test_limits.py"
    return bench.offer({first: files[second], second: files[first]})


ATTACKS = (*rows(vars()), *TWINS, *GIT_NAMES, *NAMES_BY_HUMANS)
