#!/bin/sh
# Tools that some tests need. Where CI asks for it, as root on Debian, they are installed;
# elsewhere they are named, and the tests that miss them are skipped with that reason.
set -u

missing=""
want() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }

want pdftotext poppler-utils
want chromium chromium
want blkid util-linux
want sfdisk fdisk
want mkfs.ext4 e2fsprogs
want tmux tmux
want zsh zsh
want fish fish
want fio fio
[ -n "$missing" ] || exit 0

if [ -n "${CI:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing:$missing"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "note: tests that need a missing tool will be skipped; for all of them: apt-get install$missing"
fi
