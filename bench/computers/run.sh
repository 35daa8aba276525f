#!/bin/bash
# Conduit libfabric beside conduit mpi, in turn: between two network namespaces over TCP, and between two threads of this computer
# that share no memory (FATHOM_NODE_MAX=1). Writes tables of medians, with the least and the greatest, to stdout.
#
#     run.sh [RUNS]            default 7, after a first one that does not count
#     run.sh stress [N]        N operations (10^7) of libfabric between the namespaces, with checked contents
#
# Needs root, libfabric, and Open MPI. The MPI between namespaces takes TCP alone, by the link between them. All run with a
# high priority (nice -15), so that what else the computer does is less in the way.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=bench/between.sh
. "$here/../between.sh"
conformance=$runtime/conformance/run.sh
export CFLAGS="-O2 -DNDEBUG"
make() { # make CONDUIT
    "$conformance" build "$1" "$work/$1" >"$work/log" 2>&1 && "$conformance" compile "$work/$1" "$work/transfers-$1" "$here/transfers.c" >>"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
}
make libfabric
[ "${1:-}" = stress ] || MPICC=mpicc.openmpi make mpi
unset CFLAGS
within() { # within CONDUIT PROGRAM ARGUMENTS…: this computer
    local conduit=$1
    shift
    case $conduit in
    libfabric) FATHOM_NODE_MAX=1 FI_PROVIDER=shm FATHOM_THREADS=2 nice -n -15 "$@" ;;
    mpi) FATHOM_NODE_MAX=1 nice -n -15 "${mpi[@]}" -n 2 "$@" ;;
    esac </dev/null
}
if [ "${1:-}" = stress ]; then
    time between libfabric "$work/transfers-libfabric" 1 stress "${2:-10000000}"
    exit
fi
for where in between within; do
    for ((i = 0; i <= ${1:-7}; i++)); do
        for conduit in libfabric mpi; do
            $where $conduit "$work/transfers-$conduit" 1 >"$work/out" || { cat "$work/out"; exit 1; }
            [ $i = 0 ] || sed "s/^/$where\t$conduit\t/" "$work/out" >>"$work/all"
        done
    done
done
python3 - "$work/all" <<'END'
import statistics, sys
rows = {}
for line in open(sys.argv[1]):
    where, conduit, name, value = line.rstrip("\n").split("\t")
    rows.setdefault((where, name), {}).setdefault(conduit, []).append(float(value))
text = lambda v: f"{v:.4g}" if v < 10000 else f"{v:.0f}"
for where in ["between", "within"]:
    print(f"\n| {where} | libfabric | range | mpi | range | libfabric's advantage |\n|---|---|---|---|---|---|")
    for (w, name), of in rows.items():
        if w != where: continue
        a, b = (of[c] for c in ["libfabric", "mpi"])
        m, n = statistics.median(a), statistics.median(b)
        gain = n / m if name.endswith("us") else m / n
        print(f"| {name} | {text(m)} | {text(min(a))} to {text(max(a))} | {text(n)} | {text(min(b))} to {text(max(b))} | {gain:.2f} |")
END
