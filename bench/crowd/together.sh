#!/bin/bash
# Collectives of UPC beside those of gas.h and of Open MPI, on shared memory, and over TCP between processes that share none.
#
#     together.sh THREADS ROUNDS [ROW...]
#
# A round runs smp, then Open MPI; then conduit mpi and Open MPI, both over TCP alone. A line of the result is a row: the
# medians of UPC's times, of UPC's over gas.h's in the same run, and of UPC's over MPI's in the same round, with lowest and highest.
# FATHOM names the command.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
threads=${1:-2} rounds=${2:-5}
shift $(($# < 2 ? $# : 2))
fathom=${FATHOM:-fathom}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
runtime=$here/../../runtime
for conduit in smp mpi; do
    header=conduit/smp/fathom_conduit.h compiler=cc
    [ $conduit = smp ] || header=conduit/mpi/fathom_conduit.h
    [ -f "$runtime/$header" ] || header=conduit/distributed.h
    $compiler -O2 -D_GNU_SOURCE -DFATHOM_CONDUIT_HEADER="\"$header\"" -I"$runtime" -I"$runtime/include" -I"$runtime/lang" \
        -c "$here/together.c" -o "$work/$conduit.o"
    "$fathom" cc -O2 --conduit $conduit "$work/$conduit.o" -o "$work/$conduit"
done
mpicc.openmpi -O2 -D_GNU_SOURCE "$here/together_mpi.c" -o "$work/peer"
run() { # run NAME COMMAND...: its lines, marked
    local name=$1
    shift
    "$@" 9 2000 "${rows[@]}" | sed "s/^comm/$name/" >>"$work/lines"
}
rows=("$@")
start="mpirun.openmpi --bind-to none -n $threads"
for ((i = 0; i < rounds; i++)); do
    run near env FATHOM_THREADS="$threads" "$work/smp"
    run near $start "$work/peer"
    run far env FATHOM_NODE_MAX=1 $start --mca btl tcp,self "$work/mpi"
    run far $start --mca btl tcp,self "$work/peer"
done
# Ratios within a round: the k-th line of a name, side and row belongs to round k.
sort -s -t"$(printf '\t')" -k1,1 -k3,3 "$work/lines" | awk -F'\t' '
    { key = $1 "\t" $3; n[key, $2]++; ns[key, $2, n[key, $2]] = $5; if (!(key in seen)) { seen[key] = 1; order[++keys] = key } }
    function ratio(key, other,    i, j, v, x, m) {
        m = n[key, "upc"]
        for (i = 1; i <= m; i++) v[i] = ns[key, "upc", i] / (other == "" ? 1 : ns[key, other, i])
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
        return sprintf(other == "" ? "%9.0f ns" : "%.3f (%.3f to %.3f)", v[int((m + 1) / 2)], v[1], v[m])
    }
    BEGIN { print "where\trow\tUPC\tof gas.h\tof Open MPI" }
    END { for (k = 1; k <= keys; k++) print order[k] "\t" ratio(order[k], "") "\t" ratio(order[k], "gas") "\t" ratio(order[k], "mpi") }'
