#!/bin/bash
# A barrier's time beside busy processes: on smp, on template, and over MPI, in turn; microseconds, the median and the range.
#
#     busy.sh THREADS HOGS ROUNDS      HOGS endless loops, one on each processor in turn
set -eu
threads=${1:-4} hogs=${2:-2} rounds=${3:-7}
here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../runtime
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT

for conduit in smp template; do
    "$runtime/conformance/run.sh" build $conduit "$work/$conduit"
    "${CC:-cc}" -std=gnu11 -O2 -I "$runtime" -I "$runtime/include" -I "$runtime/lang" \
        -DFATHOM_CONDUIT_HEADER="\"$(cat "$work/$conduit/header")\"" -o "$work/$conduit/busy" "$here/busy.c" \
        "$work/$conduit/libfathom.a" -lm
done
mpi=
if command -v mpicc.openmpi >/dev/null; then
    mpicc.openmpi -DBY_MPI -O2 -o "$work/busy" "$here/busy.c"
    mpi=mpi
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
fi

for ((i = 0; i < hogs; i++)); do
    taskset -c $((i % $(nproc))) sh -c 'while :; do :; done' &
    pids+=($!)
done
for ((i = 0; i < rounds; i++)); do
    for conduit in smp template; do
        echo "$conduit $(FATHOM_THREADS=$threads timeout 60 "$work/$conduit/busy" 1)"
    done
    [ -z "$mpi" ] || echo "mpi $(timeout 60 mpirun.openmpi --bind-to none -n "$threads" "$work/busy" 1 2>/dev/null)"
done | sort -k1,1 -k2,2n | awk -v threads="$threads" -v hogs="$hogs" '
    { t[$1, ++n[$1]] = $2 }
    END { for (k in n) printf "barrier of %d threads beside %d busy processes, %s: median %s us (%s to %s)\n",
                              threads, hogs, k, t[k, int((n[k] + 1) / 2)], t[k, 1], t[k, n[k]] }'
