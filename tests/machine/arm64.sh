#!/bin/bash
# Fathom for 64-bit ARM: cross-compiles the conformance suite and some UPC programs, and runs them under qemu's user
# emulation. It finds x86 code that has no counterpart, and types and alignments that differ. Orders
# of memory that x86 forbids do not occur: qemu's threads run on this computer's processors; so the fences that the
# architecture needs are looked for in the instructions.
#
#     arm64.sh [--short]
#
# --short: one suite with 3 threads, the fences, and the programs.
# FATHOM: path of the command `fathom`; without it no program is compiled. The status is 0 if all is good.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
suite=$root/runtime/conformance/run.sh
tools=/usr/aarch64-linux-gnu
for program in aarch64-linux-gnu-gcc qemu-aarch64 $tools/include/stdio.h; do
    command -v $program >/dev/null || [ -e $program ] || {
        echo "FAIL arm64.sh: $program is not installed (Debian: apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export EMULATOR="qemu-aarch64 -L $tools" FATHOM_HEAP=64m
bad=0

short=
[ "${1:-}" = --short ] && short=1

builds=("smp" "smp --reference" "template")
[ -z "$short" ] || builds=("smp")
for build in "${builds[@]}"; do
    # shellcheck disable=SC2086
    CC=aarch64-linux-gnu-gcc "$suite" build $build "$work/suite" || exit 1
    for job in "1 1" "3 1" "3 16" "5 16" "5 1"; do
        threads=${job% *}
        echo "$build, $threads threads, FATHOM_CORES=${job#* }"
        FATHOM_CORES=${job#* } timeout -k 5 400 "$suite" run "$work/suite" "$threads" --limit 120 || bad=1
        [ "$build" = smp ] || [ "$threads" != 3 ] || break
        [ -z "$short" ] || [ "$threads" != 3 ] || break
    done
done

# A system whose processes have 39 bits of addresses, as ARM kernels may be built: a message that says so.
qemu-aarch64 -R 0x8000000000 -L $tools "$work/suite/suite" 2>"$work/narrow" && bad=1
grep -q 'fewer than 46 bits of addresses' "$work/narrow" || {
    echo "FAIL: 39 bits of addresses are reported as"
    cat "$work/narrow"
    bad=1
}

# fathom_for_arm OPTIONS…: compiles.
fathom_for_arm() { FATHOM_CC=aarch64-linux-gnu-gcc "$FATHOM" cc -O2 "$@"; }

# A relaxed read must not pass a strict write (5.1.2.3 p4): there is a full fence (dmb) between the two instructions.
strict_write_is_fenced() {
    echo 'strict shared int x; relaxed shared int y; int f(void) { x = 1; return y; }' >"$work/fence.upc"
    fathom_for_arm -c -o "$work/fence.o" "$work/fence.upc" &&
        aarch64-linux-gnu-objdump -d --no-show-raw-insn "$work/fence.o" |
        awk '$2 == "stlr" { written = 1 } written && $2 == "dmb" { good = 1; exit } written && $2 ~ /^ld/ { exit } END { exit !good }'
}
if [ -n "${FATHOM:-}" ]; then
    if strict_write_is_fenced; then echo "good: a strict write is fenced"; else echo "FAIL: a strict write is not fenced"; bad=1; fi
fi

[ -z "${FATHOM:-}" ] || for name in 6.5.1.1-strict-objects-of-every-type 6.6.1-fence-publishes lib-locks lib-atomic-contention \
    lib-reduce-types lib-tick litmus-store-buffering-strict litmus-message-passing-relaxed-data litmus-write-read-write-strict \
    litmus-strict-phased-pointers-do-not-tear app-histogram-with-locks; do
    if fathom_for_arm -DITERATIONS=8000 -o "$work/program" "$root/tests/run/$name.upc" &&
        FATHOM_THREADS=4 timeout -k 5 120 $EMULATOR "$work/program"; then
        echo "good: $name"
    else
        echo "FAIL: $name"
        bad=1
    fi
done
exit $bad
