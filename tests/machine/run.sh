#!/bin/bash
# A computer of 16 processors and two sockets, each with memory of its own, made by qemu without KVM: there the runtime's
# suites run with a processor for each thread, and what depends on the topology of a computer runs at all.
#
#     run.sh [--cpu MODEL] [--only PATTERN] [--keep DIR]
#
# It boots a kernel of Debian's (FATHOM_KERNEL, else one in /boot, else downloaded by apt-get, which installs nothing) with an
# initramfs of busybox, bash and the programs, built here. Their list is a plan of lines: at most so many seconds, a name,
# a command; `init` goes through it and reports on the serial console. --only: lines whose name matches the pattern (of
# extended regular expressions). --cpu: qemu's name for the kind of processor (default max: all that qemu can emulate, AVX2
# among it). --keep: leaves the programs, the plan and the console's log in DIR.
#
# FATHOM: path of the command `fathom`; UPC programs of tests/run run, too, and `fathom doctor`. The status is 0 if all is good.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cpu=max only=. keep=
while [ $# -gt 0 ]; do
    case $1 in
    --cpu) cpu=$2 ;;
    --only) only=$2 ;;
    --keep) keep=$2 ;;
    *) sed -n '2,14s/^# \?//p' "$0"; exit 2 ;;
    esac
    shift 2
done
LIMIT_S=${FATHOM_MACHINE_LIMIT:-2400} # for all of it; then the computer is switched off

refuse() {
    echo "FAIL tests/machine: $1" >&2
    exit 1
}
for program in qemu-system-x86_64 cpio gzip; do
    command -v $program >/dev/null || refuse "$program is not installed (Debian: apt install qemu-system-x86 cpio gzip)"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# ---- what apt can give without installing anything -----------------------------------------------------------------

fetched() { # fetched PACKAGE: unpacked in $work/fetched
    echo "downloading $1"
    mkdir -p "$work/fetched" && (cd "$work/fetched" && apt-get download -qq "$1" >/dev/null 2>&1 &&
        dpkg-deb -x "$1"_*.deb . && rm "$1"_*.deb)
}
kernel=${FATHOM_KERNEL:-$(ls -v /boot/vmlinuz-*-cloud-amd64 2>/dev/null | tail -1)}
if [ ! -r "${kernel:-none}" ]; then
    package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
    [ -n "$package" ] && fetched "$package" ||
        refuse "no kernel: apt has no linux-image-cloud-amd64; name a bzImage with a console on serial lines in FATHOM_KERNEL"
    kernel=$(ls "$work"/fetched/boot/vmlinuz-*)
fi
busybox=$(command -v busybox)
if [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
    fetched busybox-static || refuse "no static busybox (Debian: apt install busybox-static)"
    busybox=$work/fetched/bin/busybox
fi

# ---- programs, and the plan ----------------------------------------------------------------------------------------

inside=$work/root
mkdir -p "$inside/t/runtime"
plan() { # plan SECONDS NAME COMMAND
    [[ $2 =~ $only ]] && printf '%s\t%s\t%s\n' "$@" >>"$inside/t/plan"
}

# UPC programs of each kind: barriers, orders of memory, locks, atomics, collectives, the heap, applications.
programs=(6.6.1-notify-then-work-then-wait 6.6.1-barrier-separates-phases 6.6.1-many-barriers-when-oversubscribed
    6.6.1-fence-publishes litmus-store-buffering-strict litmus-iriw-strict litmus-message-passing-strict
    litmus-load-buffering-strict litmus-coherence-strict-reads litmus-locks-order-data
    litmus-strict-phased-pointers-do-not-tear lib-locks lib-atomic-contention lib-alloc lib-broadcast lib-exchange
    lib-reduce-types lib-sort lib-bupc-semaphores lib-bupc-async app-heat-with-ghost-cells app-pipeline-with-strict-flags
    app-histogram-with-locks app-random-access)

# A processor that waits is as busy as one that works, and this computer has few for all of them: a barrier of 16 threads
# takes tens of milliseconds, and more beside other work. So many threads get less to do, and more time. A case that does not
# end is the one after the last that is reported.
suite() { # suite BUILD THREADS [PART-OF-A-CASE'S-NAME…]
    local times=1 limit=500
    [ "$2" -lt 5 ] || times=0.3
    [ "$2" -lt 16 ] || times=0.01
    plan 900 "suite, $1, $2 threads" "SUITE_VERBOSE=1 runtime/conformance/run.sh run $1 $2 --limit $limit --times $times ${*:3}"
}

make_plan() {
    local n name
    for n in 1 2 5 16; do plan 60 "places of $n threads (shown)" "FATHOM_THREADS=$n FATHOM_BIND=no ./places"; done
    for n in 2 3 8 16; do plan 60 "places of $n threads, bound (shown)" "FATHOM_THREADS=$n FATHOM_BIND=report ./places bound"; done
    for n in 1 2 3 5 8 16; do suite smp $n; done
    for n in 1 3 5 16; do suite reference $n; done
    for n in 1 5; do suite template $n; done
    # Over sockets a round trip among 16 takes milliseconds: what depends on how many threads there are, not all data.
    suite template 16 barriers messages locks teams barging
    plan 300 "ends, smp, 8 threads" "runtime/conformance/run.sh ends smp 8"
    [ -n "${FATHOM:-}" ] || return 0
    plan 60 "fathom doctor (shown)" './fathom doctor || true'
    for name in "${programs[@]}"; do plan 120 "$name, 16 threads" "FATHOM_THREADS=16 ./$name"; done
}

# Builds what the plan names.
build() {
    local name script=$root/runtime/conformance/run.sh
    wanted() { grep -q "$1" "$inside/t/plan"; }
    mkdir -p "$inside/t/runtime/conformance"
    cp "$script" "$inside/t/runtime/conformance/"
    "$script" build smp "$inside/t/smp" && "$script" compile "$inside/t/smp" "$inside/t/places" "$here/places.c" &&
        if wanted "run reference"; then "$script" build smp --reference "$inside/t/reference"; fi &&
        if wanted "run template"; then "$script" build template "$inside/t/template"; fi ||
        refuse "the suite does not compile"
    rm "$inside"/t/*/libfathom.a
    if wanted doctor; then cp "$FATHOM" "$inside/t/fathom"; fi
    for name in "${programs[@]}"; do
        wanted "$name" || continue
        "$FATHOM" cc -O2 -DITERATIONS=8000 -o "$inside/t/$name" "$root/tests/run/$name.upc" || refuse "$name does not compile"
    done
}

# The dynamic linker and the libraries that the programs name, at their places.
copy_libraries() {
    local program library
    for program in "$inside"/bin/bash "$inside"/t/*; do
        [ -f "$program" ] && [ -x "$program" ] || program=$program/suite
        [ -x "$program" ] && ldd "$program" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^\t\(\/[^ ]*\).*/\1/p'
    done | sort -u | while read -r library; do
        mkdir -p "$inside$(dirname "$library")"
        cp -L "$library" "$inside$library"
    done
}

mkdir -p "$inside/bin"
make_plan
[ -s "$inside/t/plan" ] || refuse "no line of the plan matches '$only'"
build
cp "$busybox" "$inside/bin/busybox"
cp "$(command -v bash)" "$inside/bin/bash"
cp "$here/init" "$inside/init"
copy_libraries
(cd "$inside" && find . | cpio -o -H newc --quiet --owner 0:0 | gzip -1) >"$work/initrd"

# ---- the computer --------------------------------------------------------------------------------------------------

# Two sockets of four cores of two processors, two nodes of 2 GB. As processors of AMD's, emulated ones would say that they
# share no core.
[ "$cpu" != max ] || cpu=max,vendor=GenuineIntel
# A processor of the computer is a thread of qemu's: `multi`, so that all cores of this computer have work. Beside other work its
# clock ticks so late that the kernel, which looks once, would say that there is none and stop: no_timer_check.
console=$work/console
timeout -k 5 "$LIMIT_S" qemu-system-x86_64 -machine q35 -accel tcg,thread=multi -cpu "$cpu" \
    -smp 16,sockets=2,cores=4,threads=2 -m 4G \
    -object memory-backend-ram,id=memory0,size=2G -object memory-backend-ram,id=memory1,size=2G \
    -numa node,nodeid=0,memdev=memory0,cpus=0-7 -numa node,nodeid=1,memdev=memory1,cpus=8-15 -numa dist,src=0,dst=1,val=21 \
    -kernel "$kernel" -initrd "$work/initrd" -append "console=ttyS0 quiet panic=-1 no_timer_check" \
    -display none -monitor none -nic none -no-reboot -serial stdio </dev/null 2>&1 | stdbuf -oL tr -d '\r' | tee "$console"
status=${PIPESTATUS[0]}
if [ -n "$keep" ]; then
    mkdir -p "$keep" && cp -r "$inside/t" "$work/initrd" "$console" "$keep/"
fi
[ "$status" != 124 ] || refuse "the computer was switched off after $LIMIT_S s"
grep -q '^verdict: [0-9]* good, ' "$console" || refuse "the computer ended without a verdict (qemu's status: $status)"
grep -q '^verdict: [0-9]* good, 0 bad' "$console"
