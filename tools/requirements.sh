#!/bin/sh
# Says precisely what is missing to build iodyno, all at once.
# usage: requirements.sh PYTHON
set -u
missing=0

need() { # need NAME HINT COMMAND…
    name=$1 hint=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        echo "error: $name is missing" >&2
        echo "hint: $hint" >&2
        missing=1
    fi
}

need "Python 3.10 or later with venv" "apt-get install python3 python3-venv" \
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
need "a C compiler" "apt-get install gcc libc6-dev" cc --version
need "Rust 1.88 or later (cargo)" "install it with rustup: the toolchain named stable" \
    sh -c 'cargo --version | awk "{ split(\$2, v, \".\"); found = v[1] + 0 > 1 || v[1] + 0 == 1 && v[2] + 0 >= 88 } END { exit !found }"'
exit $missing
