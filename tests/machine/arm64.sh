#!/bin/bash
# Fathom for 64-bit ARM: cross-compiles the runtime's suites and tests, and the UPC and Split-C programs, and runs them under
# qemu's user emulation. It finds x86 code that has no counterpart, and types and alignments that differ. Orders
# of memory that x86 forbids do not occur: qemu's threads run on this computer's processors; so the fences that the
# architecture needs are looked for in the instructions.
#
#     arm64.sh [--short | PART…]
#
# The parts, all of them unless some are named: suites (runtime/conformance), runtime (tests/runtime), orders (the fences),
# pages (of 16 and 64 KiB, for programs whose data and stack are moved), programs (tests/run, by cargo test). --short: one suite with 3
# threads, the fences but for the litmus programs', pages, and a few programs.
# FATHOM: path of the command `fathom`; without it no program is compiled. The status is 0 if all is good.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
suite=$root/runtime/conformance/run.sh
tools=/usr/aarch64-linux-gnu
for program in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64 $tools/include/stdio.h; do
    command -v $program >/dev/null || [ -e $program ] || {
        echo "FAIL arm64.sh: $program is not installed (Debian: apt install g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export EMULATOR="qemu-aarch64 -L $tools"
export CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ FATHOM_CC=aarch64-linux-gnu-gcc
bad=0

short=
parts=(suites runtime orders pages programs)
if [ "${1:-}" = --short ]; then
    short=1 parts=(suites orders pages programs)
elif [ $# -gt 0 ]; then
    parts=("$@")
fi

good() { echo "good: $1"; }
fail() {
    bad=1
    echo "FAIL: $1"
}

suites() {
    local build job threads builds=("smp" "smp --reference" "template")
    local -x FATHOM_HEAP=64m
    [ -z "$short" ] || builds=("smp")
    for build in "${builds[@]}"; do
        # shellcheck disable=SC2086
        "$suite" build $build "$work/suite" || exit 1
        for job in "1 1" "3 1" "3 16" "5 16" "5 1"; do
            threads=${job% *}
            echo "$build, $threads threads, FATHOM_CORES=${job#* }"
            FATHOM_CORES=${job#* } timeout -k 5 2000 "$suite" run "$work/suite" "$threads" --limit 600 || bad=1
            [ "$build" = smp ] || [ "$threads" != 3 ] || break
            [ -z "$short" ] || [ "$threads" != 3 ] || break
        done
    done
    # A system whose processes have 39 bits of addresses, as ARM kernels may be built: a message that says so.
    qemu-aarch64 -R 0x8000000000 -L $tools "$work/suite/suite" 2>"$work/narrow" && bad=1
    grep -q 'fewer than 46 bits of addresses' "$work/narrow" ||
        fail "39 bits of addresses are reported as $(cat "$work/narrow")"
}

runtime() {
    local script
    local -x MSG_MESSAGES=${MSG_MESSAGES:-100000} # emulated, a million may take a quarter of an hour
    for script in run msg msg_hpp fathom_hpp; do "$root/tests/runtime/$script.sh" || bad=1; done
}

# ---- fences ------------------------------------------------------------------------------------------------------

# events FILE FUNCTION: what orders memory in the function's instructions up to the first return, and what is ordered: ld and
# st (of 2 bytes, which pointers are not), stlr, ldar, ldaxp, stlxp, dmb, and calls of functions that are ordered or order.
events() {
    aarch64-linux-gnu-objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" '
        $2 == name { inside = 1; next }
        /^$/ { inside = 0 }
        !inside { next }
        $2 == "dmb" { add($3 == "ish" ? "dmb" : "dmb-" $3) }
        $2 ~ /^(stlr|ldar)[bh]?$/ { add(substr($2, 1, 4)) }
        $2 ~ /^(stlxp|ldaxp)$/ { add($2) }
        $2 ~ /^ldu?rs?h$/ { add("ld") }
        $2 ~ /^stu?rh$/ { add("st") }
        $2 == "bl" && $4 ~ /core_barrier_(notify|wait)|gas_barging_|__aarch64_/ { gsub(/[<>]|__aarch64_/, "", $4); add($4) }
        $2 == "ret" { exit }
        function add(event) { list = list separator event; separator = " " }
        END { print list }'
}

# expect FILE FUNCTION EVENT…
expect() {
    local got
    got=$(events "$1" "$2")
    if [ "$got" = "${*:3}" ]; then good "$2: $got"; else fail "$2: the instructions are '$got', expected '${*:3}'"; fi
}

# UPC 1.3, 5.1.2.3 p4: no access passes a strict one, nor a strict one any access; relaxed ones have no fence. ARMv8 keeps stlr
# behind what precedes it, and what follows ldar behind it; the other two sides take a full fence.
orders() {
    [ -n "${FATHOM:-}" ] || return 0
    cat >"$work/orders.upc" <<'END'
#include <upc_relaxed.h>
shared short x, y;
strict shared short s;
shared [4] short *strict shared p;
struct object { short parts[20]; };
strict shared struct object o;
void relaxed_relaxed(void) { y = x; }
short strict_write_relaxed_read(void) { s = 1; return x; }
void strict_write_relaxed_write(void) { s = 1; x = 1; }
short strict_read_relaxed_read(void) { short a = s; return a + x; }
short strict_read_relaxed_write(void) { short a = s; x = 1; return a; }
void relaxed_write_strict_write(void) { x = 1; s = 1; }
short relaxed_read_strict_write(void) { short a = x; s = 1; return a; }
short relaxed_write_strict_read(void) { x = 1; return s; }
short relaxed_read_strict_read(void) { short a = x; return a + s; }
short write_fence_read(void) { x = 1; upc_fence; return y; }
void write_fence_write(void) { x = 1; upc_fence; y = 1; }
short read_fence_read(void) { short a = x; upc_fence; return a + y; }
short read_of_two_words(shared [4] short **to) { x = 1; *to = p; return y; }
short write_of_two_words(void) { x = 1; p = 0; return y; }
short read_of_an_object(struct object *to) { x = 1; *to = o; return y; }
short write_of_an_object(struct object *from) { x = 1; o = *from; return y; }
END
    "$FATHOM" cc -O2 -c -o "$work/orders.o" "$work/orders.upc" || { fail "orders.upc does not compile"; return; }
    local in=$work/orders.o
    expect "$in" relaxed_relaxed ld st
    expect "$in" strict_write_relaxed_read stlr dmb ld
    expect "$in" strict_write_relaxed_write stlr dmb st
    expect "$in" strict_read_relaxed_read dmb ldar ld
    expect "$in" strict_read_relaxed_write dmb ldar st
    expect "$in" relaxed_write_strict_write st stlr dmb
    expect "$in" relaxed_read_strict_write ld stlr dmb
    expect "$in" relaxed_write_strict_read st dmb ldar
    expect "$in" relaxed_read_strict_read ld dmb ldar
    expect "$in" write_fence_read st dmb ld
    expect "$in" write_fence_write st dmb st
    expect "$in" read_fence_read ld dmb ld
    expect "$in" read_of_two_words st ldaxp stlxp dmb ld
    expect "$in" write_of_two_words st ldaxp stlxp dmb ld
    expect "$in" read_of_an_object st dmb dmb ld
    expect "$in" write_of_an_object st dmb dmb ld
    # Locks and barriers are null strict accesses (7.2.4.6 to 7.2.4.8, 6.6.1 p5), by functions of the runtime.
    "$FATHOM" cc -O2 -o "$work/locks" "$root/tests/run/litmus-locks-order-data.upc" || { fail "locks"; return; }
    in=$work/locks
    expect "$in" upc_lock gas_barging_lock dmb
    expect "$in" upc_lock_attempt gas_barging_trylock dmb
    expect "$in" upc_unlock gas_barging_unlock dmb
    expect "$in" gas_barging_lock cas4_acq_rel
    expect "$in" gas_barging_unlock cas4_acq_rel
    expect "$in" gas_program_notify dmb core_barrier_notify
    expect "$in" gas_program_wait core_barrier_wait dmb
    expect "$in" gas_program_barrier dmb core_barrier_notify core_barrier_wait
    expect "$in" smp_barrier_notify stlr
    expect "$in" smp_barrier_try ldar
    expect "$in" tree_notify ldadd8_acq_rel dmb
    expect "$in" tree_try ldar
    [ -n "$short" ] || litmus
}

# In the litmus programs themselves: between a stlr and the next access, call or jump there is a full fence, and so there is
# between an ldar and the one before it.
litmus() {
    local source name counts
    for source in "$root"/tests/run/litmus-*.upc; do
        name=$(basename "$source" .upc)
        "$FATHOM" cc -O2 -c -o "$work/litmus.o" "$source" || { fail "$name does not compile"; continue; }
        counts=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$work/litmus.o" | awk '
            $2 == "dmb" && $3 == "ish" { fences++; before = "fence"; next }
            $2 ~ /^stlr[bh]?$/ { writes++ }
            $2 ~ /^ldar[bh]?$/ { reads++ }
            before == "write" && $2 ~ /^(ld|st|b$|b\.|bl|cb|tb|ret)/ { print "a strict write without a fence before " $0; exit }
            $2 ~ /^ldar[bh]?$/ && before != "fence" { print "a strict read without a fence: " $0; exit }
            $2 ~ /^stlr[bh]?$/ { before = "write"; next }
            $2 ~ /^(ld|st|b$|b\.|bl|cb|tb|ret)/ { before = "" }
            END { printf "%d strict writes, %d strict reads, %d fences", writes, reads, fences }')
        case $counts in *without*) fail "$name: $counts" ;; *) good "$name: $counts" ;; esac
    done
}

# ---- pages -------------------------------------------------------------------------------------------------------

# qemu says to the program that pages are larger, and rounds to them; the kernel below has pages of 4 KiB.
pages() {
    local name bytes source
    [ -n "${FATHOM:-}" ] || return 0
    for name in split-c-any-object split-c-constant-objects split-c-heap-and-libc split-c-spread-arrays split-c-forked-children \
        5.1.2-private-and-shared-objects 6.4.1.1-sizeof-shared-types; do
        source=$(echo "$root/tests/run/$name".*)
        "$FATHOM" cc -O1 -o "$work/program" "$source" || { fail "$name does not compile"; continue; }
        for bytes in 16384 65536; do
            if FATHOM_HEAP=64m FATHOM_THREADS=3 timeout -k 5 300 $EMULATOR -p $bytes "$work/program"; then
                good "$name, pages of $bytes bytes"
            else
                fail "$name, pages of $bytes bytes"
            fi
        done
    done
}

# ---- programs ----------------------------------------------------------------------------------------------------

programs() {
    local name
    [ -n "${FATHOM:-}" ] || return 0
    if "$FATHOM" cc -O2 -o "$work/program" "$root/tests/machine/neon.upc" &&
        FATHOM_HEAP=64m FATHOM_THREADS=3 timeout -k 5 300 $EMULATOR "$work/program"; then
        good "neon.upc"
    else
        fail "neon.upc"
    fi
    if [ -z "$short" ]; then
        (cd "$root" && env -u CC -u CXX -u EMULATOR FATHOM_TEST_EMULATOR="$EMULATOR" \
            cargo test --release --locked -p fathom --test upc -- run::) || bad=1
        return
    fi
    local -x FATHOM_HEAP=64m
    for name in 6.5.1.1-strict-objects-of-every-type 6.6.1-fence-publishes lib-locks lib-atomic-contention \
        lib-reduce-types lib-tick litmus-store-buffering-strict litmus-message-passing-relaxed-data litmus-write-read-write-strict \
        litmus-strict-phased-pointers-do-not-tear app-histogram-with-locks; do
        if "$FATHOM" cc -O2 -DITERATIONS=8000 -o "$work/program" "$root/tests/run/$name.upc" &&
            FATHOM_THREADS=4 timeout -k 5 120 $EMULATOR "$work/program"; then
            good "$name"
        else
            fail "$name"
        fi
    done
}

for part in "${parts[@]}"; do
    case $part in
    suites | runtime | orders | pages | programs) "$part" ;;
    *)
        echo "unknown part: $part" >&2
        exit 2
        ;;
    esac
done
exit $bad
