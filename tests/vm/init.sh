#!/bin/busybox sh
# First program of the guest: loads modules, takes the host's root as its own, read-only, and starts the agent.
b() { /bin/busybox "$@"; }
b mount -t proc proc /proc
b mount -t sysfs sys /sys
b mount -t debugfs debug /sys/kernel/debug
b mount -t devtmpfs dev /dev
while read -r name; do
    options=
    [ "$name" = nvme ] && options="poll_queues=2"
    b insmod "/modules/$name" $options || echo "insmod $name failed"
done < /order
at() { b mount -t 9p -o "trans=virtio,version=9p2000.L,msize=262144,$2" "$1" "$3" || echo "no $1"; }
at root ro,cache=loose /host
at share rw,cache=none /host/mnt
for place in proc sys dev; do b mount -o move "/$place" "/host/$place"; done
b mount -t tmpfs run /host/run
export PYTHONPATH="@PACKAGES@" PYTHONDONTWRITEBYTECODE=1
exec /bin/busybox switch_root /host @PYTHON@ -u @AGENT@
