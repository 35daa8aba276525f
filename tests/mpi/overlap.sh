#!/bin/bash
# Transfers with several computers are under way together over conduit mpi, whatever MPI sends only in a flush: in a trace of the
# wire (wired.sh), what thread 0 sends to the second computer has left before anything from the first can have come back. Also, few
# puts leave in the program's order. Without the right to make namespaces, TUN devices or Open MPI it is skipped, unless CI=true
# or FATHOM_TEST_MPI=required. FATHOM: path of the command `fathom`.
set -u
# shellcheck source=tests/mpi/wired.sh
. "$(dirname "${BASH_SOURCE[0]}")/wired.sh"
wire_in=
fail() {
    echo "FAIL overlap.sh: $1"
    wired_end
    exit 1
}
skip() {
    [ "${CI:-}" != true ] && [ "${FATHOM_TEST_MPI:-}" != required ] || fail "$1"
    echo "skipped: overlap.sh: $1"
    exit 0
}
[ -c /dev/net/tun ] || { echo "skipped: overlap.sh: this kernel has no TUN devices" && exit 0; }
command -v mpicc.openmpi >/dev/null || skip "no Open MPI"
{ ip netns add fathom-try-$$ && ip netns del fathom-try-$$; } 2>/dev/null ||
    skip "no right to make network namespaces (it needs root)"

delay_us=30000
export WIRE_TRACE=$work/trace WIRE_LOG=$work/wire.log
wired 3 $delay_us 100
unset WIRE_TRACE
export FATHOM_MPICC=mpicc.openmpi FATHOM_HEAP=64m FATHOM_COMM=off OMPI_MCA_mpi_yield_when_idle=1
"$FATHOM" cc -O2 --conduit mpi -o "$work/overlap" "$root/tests/mpi/overlap.upc" >"$work/log" 2>&1 ||
    fail "compiling overlap.upc: $(cat "$work/log")"
wired_on timeout 600 "$FATHOM" run -n 3 "$work/overlap" >"$work/log" 2>&1 && grep -q '^good$' "$work/log" ||
    fail "the program: $(cat "$work/log")"
exec {wire_in}>&- # the switch ends, and writes its trace
wait "$wire_pid"
wire_in= wire_pid=

# look WHAT LEAST MOST ORDER: of the packets from thread 0 of so many bytes, the last five to each of the others, in pairs. One of a
# pair has left before the answer to the other one can have come, of at least one pair: a busy computer may hold up the
# thread between them. ORDER: and of all pairs but the first, the one to thread 2 has left first.
look() {
    sort -s -g -k1,1 "$work/trace" | awk -v what="$1" -v least="$2" -v most="$3" -v order="${4:-}" -v delay=$delay_us '
        $4 == 1 && $6 >= least && $6 <= most { n[$5]++; sent[$5, n[$5]] = $1; due[$5, n[$5]] = $2; line[$5, n[$5]] = NR }
        END {
            if (n[2] < 5 || n[3] < 5) { print what ": " n[2] + 0 " and " n[3] + 0 " packets"; exit 1 }
            for (i = 0; i < 5; i++) {
                a = n[2] - i; b = n[3] - i
                if (sent[3, b] < due[2, a] + delay && sent[2, a] < due[3, b] + delay) together++
                if (order && i < 4 && line[2, a] < line[3, b]) { print what ": not in the order of the program"; exit 1 }
            }
            if (!together) { print what ": one after the other"; exit 1 }
        }'
}
said=$(look "gets" 800 950 && look "puts" 1150 1300 ORDER && look "several puts" 700 799) || fail "$said"
echo "good: transfers with several computers together"
