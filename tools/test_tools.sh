#!/bin/sh
# Tools that some tests need. Where CI asks for it, as root on Debian, they are installed;
# elsewhere they are named, and the tests that miss them are skipped with that reason.
# `sh tools/test_tools.sh kernel` gets the kernel of the guest in tests/vm, anywhere on Debian, as any user.
set -u

KERNEL=target/vm-kernel
missing=""
want() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }

# Take out of a package what the guest can load, a tenth of it.
keep() {
    dpkg-deb --fsys-tarfile "$1" | tar -x --wildcards '*/boot/vmlinuz-*' '*/kernel/block/*' '*/kernel/crypto/*' \
        '*/kernel/drivers/block/*' '*/kernel/drivers/char/*' '*/kernel/drivers/md/*' '*/kernel/drivers/nvme/*' \
        '*/kernel/drivers/virtio/*' '*/kernel/fs/*' '*/kernel/lib/*' '*/kernel/net/9p/*' && rm -f "$1"
}

# Unpack a Debian kernel for the guest: it is not installed, and the machine's own stays as it is.
kernel() {
    package=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
    [ -n "$package" ] || { echo "note: no package linux-image-amd64 here: tests in a guest will be skipped"; return 0; }
    echo "unpacking: $package into $KERNEL"
    rm -rf "$KERNEL.part" && mkdir -p "$KERNEL.part" || return 1
    (cd "$KERNEL.part" && apt-get download -qq "$package" >/dev/null 2>&1 && keep "$package"_*.deb) &&
        rm -rf "$KERNEL" && mv "$KERNEL.part" "$KERNEL"
}

if [ "${1:-}" = kernel ]; then
    kernel
    exit
fi

want pdftotext poppler-utils
want chromium chromium
want blkid util-linux
want sfdisk fdisk
want mkfs.ext4 e2fsprogs
want mkfs.btrfs btrfs-progs
want parted parted
want tmux tmux
want zsh zsh
want fish fish
want fio fio
want qemu-system-x86_64 qemu-system-x86
want busybox busybox-static
want mdadm mdadm
want smartctl smartmontools
[ -n "$missing" ] || [ ! -d "$KERNEL" ] || exit 0

if [ -n "${CI:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq || exit 1
    if [ -n "$missing" ]; then
        echo "installing:$missing"
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || exit 1
    fi
    [ -d "$KERNEL" ] || kernel
else
    [ -z "$missing" ] ||
        echo "note: tests that need a missing tool will be skipped; for all of them: apt-get install$missing"
    [ -d "$KERNEL" ] ||
        echo "note: tests in a guest need a kernel: sh tools/test_tools.sh kernel"
fi
