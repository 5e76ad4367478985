#!/bin/sh
# Sets Gatekeeper up from a fresh clone: needs python3 (3.11 or later) with its venv module, git, and a way to PyPI.
# Everything goes into private environments; nothing outside the directories named by --help is touched.
set -u
umask 022
# Settings of the caller's that would put packages, or look for them, somewhere else than in the private environment.
unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_ROOT
export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 3
say() { printf '%s\n' "$*"; }
die() {
    printf 'install.sh: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '  %s\n' "$line" >&2; done
    exit 3
}

usage() {
    cat <<'END'
usage: ./install.sh --demo [--fast] [--keep]
           show the gate at work in a throw-away repository
       ./install.sh --test [PYTEST ARGUMENTS]
           run the linters, the type checker and the whole test suite
       ./install.sh REPO.git... --identity ssh|http --humans NAME,NAME
           install the gate on bare repositories for good; again: upgrade;
           with --observe, or without who is who: judge, and refuse nothing
       ./install.sh --clone DIR [--policy FILE]
           install the pre-push advice hook in a developer's clone
       ./install.sh --uninstall REPO.git...
       ./install.sh --uninstall --clone DIR
           take it out again; the hook that was there before is put back
       ./install.sh --help

Where things go:
  --demo, --test      .venv/ in this clone
  everything else     $GATEKEEPER_HOME, by default gatekeeper/ in
                      $XDG_DATA_HOME or ~/.local/share;
                      this clone may be deleted afterwards

Environment: PYTHON chooses the interpreter; GATEKEEPER_HOME the place;
GATEKEEPER_ENV names an environment made beforehand (one with
bin/gatekeeper in it) to use instead of building one, for machines without
a way to PyPI.

Exit codes: 0 done, 3 not done and nothing half-done, 130 interrupted;
--demo: 1 when the gate did not do what it must.
END
}

# --- the interpreter -------------------------------------------------------------------------------------------------

# Sets `python`, or explains in `why` what is wrong with $1. $2 is "venv" when an environment has to be built with it.
try_python() {
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || {
        why="$1 does not run"
        return 1
    }
    major=${version%%.*} minor=${version#*.}
    case $major.$minor in
    *[!0-9.]* | .* | *.) why="$1 does not tell its version" && return 1 ;;
    esac
    if [ "$major" -lt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -lt 11 ]; }; then
        why="$1 is Python $version; 3.11 or later is needed"
        return 1
    fi
    # Debian and Ubuntu ship python3 without ensurepip: venv imports, and fails only when it is half-way.
    if [ "$2" = venv ] && ! "$1" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        why="$1 (Python $version) has no venv module with pip: apt install python3-venv (or python$version-venv)"
        return 1
    fi
    python=$1
}

find_python() {
    python='' why=''
    if [ -n "${PYTHON:-}" ]; then
        try_python "$PYTHON" "$1" || die "$why" "PYTHON=$PYTHON was given; name another interpreter or unset it"
        return
    fi
    reasons=''
    for candidate in python3.14 python3.13 python3.12 python3.11 python3; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        try_python "$candidate" "$1" && return
        reasons="$reasons
  $why"
    done
    if [ -z "$reasons" ]; then
        die "there is no python3 on PATH" "mend: apt install python3 python3-venv"
    fi
    die "no usable Python on PATH:$reasons" "mend: install one (3.11 to 3.14), or name it: PYTHON=/path/to/python3 ./install.sh ..."
}

need_git() {
    command -v git >/dev/null 2>&1 || die "git is not on PATH" "mend: apt install git"
}

# --- environments ----------------------------------------------------------------------------------------------------

building=''
stop=''
log=''
clean_up() {
    if [ -n "$building" ]; then
        rm -rf -- "$building"
        # And the directories that were made for it, as far as nothing else is in them.
        parent=${building%/*}
        while [ "$parent" != "$stop" ] && rmdir -- "$parent" 2>/dev/null; do parent=${parent%/*}; done
    fi
    if [ -n "$log" ]; then rm -f -- "$log"; fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Builds an environment at $1 with what the pip arguments after it say; whatever fails, nothing is left at $1.
build() {
    building=$1
    shift
    # The first directory that is there already: what fails leaves no directory behind that it made.
    stop=${building%/*}
    while [ ! -d "$stop" ]; do stop=${stop%/*}; done
    log=$(mktemp) || die "no temporary file can be made in ${TMPDIR:-/tmp}"
    mkdir -p -- "$building" 2>"$log" || die "cannot write there: $(cat -- "$log")"
    say "setting up a private environment in $building (once; about a minute) ..."
    "$python" -m venv --clear -- "$building" >"$log" 2>&1 ||
        die "python3 -m venv failed:" "$(tail -n 5 -- "$log")" "mend: apt install python3-venv"
    "$building/bin/python" -m pip install --quiet --no-input "$@" >"$log" 2>&1 ||
        die "pip could not install the packages:" "$(tail -n 8 -- "$log")" \
            "mend: a way to PyPI is needed (pip reads PIP_INDEX_URL and pip.conf), or GATEKEEPER_ENV=DIR"
    : >"$building/complete" || die "cannot write into $building"
    building=''
}

# What an environment is made of: the sources, the interpreter and where it lies (environments cannot be moved).
fingerprint() {
    "$python" -I -S -B - "$here" "$1" <<'END'
import hashlib, os, sys
here, place = sys.argv[1:]
digest = hashlib.sha256(repr((sys.version, os.path.realpath(sys.executable), place)).encode())
def feed(path):
    digest.update(os.path.relpath(path, here).encode(errors="surrogateescape") + b"\0")
    with open(path, "rb") as file:
        digest.update(hashlib.sha256(file.read()).digest())
for top in ("pyproject.toml", "README.md", "LICENSE"):
    if os.path.exists(os.path.join(here, top)):
        feed(os.path.join(here, top))
for top in ("gatekeeper", "hooks", "contracts_schema"):
    for folder, folders, names in os.walk(os.path.join(here, top)):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        for name in sorted(names):
            feed(os.path.join(folder, name))
print(digest.hexdigest()[:12])
END
}

# Sets `environment` to a private environment under $home that holds this very source, built unless it is there.
# Environments are never changed once built: a hook that runs right now keeps the files it started from. The hooks of each
# repository name their environment; the ones that no hook names any more can be deleted.
private_environment() {
    home=${GATEKEEPER_HOME:-${XDG_DATA_HOME:-${HOME:?HOME is not set}/.local/share}/gatekeeper}
    case $home in
    /*) ;;
    *) die "GATEKEEPER_HOME=$home is not an absolute path" ;;
    esac
    if [ -n "${GATEKEEPER_ENV:-}" ]; then
        environment=$(CDPATH='' cd -- "$GATEKEEPER_ENV" 2>/dev/null && pwd) || die "GATEKEEPER_ENV=$GATEKEEPER_ENV is no directory"
        program=$environment/bin/gatekeeper
        [ -x "$program" ] || die "GATEKEEPER_ENV=$GATEKEEPER_ENV has no bin/gatekeeper" "mend: $environment/bin/pip install $here"
        return
    fi
    program=$home/current/bin/gatekeeper
    tag=$(fingerprint "$home") || die "cannot read the sources in $here"
    for found in "$home/environments/$tag".*; do
        if [ -e "$found/complete" ]; then
            environment=$found
            return
        fi
    done
    for found in "$home"/environments/*; do
        # A build that was killed: its name ends in the number of a process that is gone.
        [ -d "$found" ] && [ ! -e "$found/complete" ] && ! kill -0 "${found##*.}" 2>/dev/null && rm -rf -- "$found"
    done
    environment=$home/environments/$tag.$$
    build "$environment" "$here"
}

# Points $home/current at $environment in one step: what authorized_keys and people call survives upgrades.
make_current() {
    [ -z "${GATEKEEPER_ENV:-}" ] || return 0
    if ! ln -sfn -- "$environment" "$home/current.$$" ||
        ! "$python" -I -S -c 'import os, sys; os.replace(*sys.argv[1:])' "$home/current.$$" "$home/current"; then
        die "cannot write $home/current"
    fi
}

# --- the jobs --------------------------------------------------------------------------------------------------------

demo() {
    need_git
    find_python venv
    tag=$(fingerprint "$here") || die "cannot read the sources in $here"
    environment=$here/.venv/demo-$tag
    if [ ! -e "$environment/complete" ]; then
        rm -rf -- "$here"/.venv/demo-*
        build "$environment" "$here"
    fi
    "$environment/bin/gatekeeper" demo "$@"
}

tests() {
    need_git
    find_python venv
    environment=$here/.venv/test
    wanted="$here $("$python" -c 'import sys; print(sys.version)') $(cksum <"$here/pyproject.toml")"
    if [ ! -e "$environment/complete" ] || [ "$(cat -- "$environment/complete")" != "$wanted" ]; then
        build "$environment" --editable "${here}[dev]"
        printf '%s\n' "$wanted" >"$environment/complete"
    fi
    cd -- "$here" || exit 3
    PATH=$environment/bin:$PATH
    export PATH
    failed=''
    step() {
        say "== $*"
        "$@" || failed="$failed $1"
    }
    step ruff check .
    step mypy
    step lint-imports
    [ -z "$failed" ] || printf 'install.sh: FAILED:%s; the tests run all the same\n' "$failed" >&2
    say "== pytest"
    python -m pytest -n auto "$@"
    status=$?
    [ -z "$failed" ] || [ "$status" -ne 0 ] || status=1
    exit "$status"
}

# The part of the installer that needs no packages: run from this clone, with a bare interpreter.
standalone() {
    "$python" -I -S -B "$here/gatekeeper/installing/standalone.py" "$@"
}

install_into() {
    need_git
    if [ -n "${GATEKEEPER_ENV:-}" ]; then find_python plain; else find_python venv; fi
    # Ask whether the repositories will do before a minute is spent on building.
    standalone check "$@" || exit 3
    private_environment
    "$environment/bin/gatekeeper" install --shown-as "$program" "$@" || exit
    make_current
}

uninstall_from() {
    need_git
    find_python plain
    standalone uninstall "$@"
}

case ${1:-} in
'' ) usage >&2; exit 3 ;;
-h | --help) usage ;;
--demo) shift && demo "$@" ;;
--test) shift && tests "$@" ;;
--uninstall) shift && uninstall_from "$@" ;;
*) install_into "$@" ;;
esac
