#!/bin/sh
# Pins the Python dependencies, with hashes, for every supported version of Python.
# usage: lock.sh UV
set -eu
compile() {
    "$1" pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-emit-index-url \
        --custom-compile-command "make lock" pyproject.toml "requirements/$2.in" $3 -o "requirements/$2.lock"
}
compile "$1" run ""
compile "$1" dev "-c requirements/run.lock"
