#!/bin/bash
# All-reduces that are begun, beside Open MPI's, in turn in one run: how long they take, and how much of it computing hides.
#
#     run.sh [THREADS [ROUNDS [DELAY_US]]]      2, 5, 2000
#
# Near: on shared memory, `smp` and Open MPI. Far: two computers (network namespaces, so as root) on a switch that delays each packet
# by DELAY_US at 10 Gbit/s, half of the threads on each, conduit mpi and Open MPI over TCP. The switch is a program, and what it
# takes of a processor no computing can hide: so packets are large, and the delay is long beside that. Prints the medians.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
threads=${1:-2} rounds=${2:-5} delay=${3:-2000}
# shellcheck source=tests/mpi/wired.sh
. "$here/../../tests/mpi/wired.sh"
suite=$root/runtime/conformance/run.sh
export MPICC=mpicc.openmpi MPIRUN=mpirun.openmpi
for conduit in smp mpi libfabric; do
    CFLAGS=-O2 "$suite" build $conduit "$work/$conduit"
    "$suite" compile "$work/$conduit" "$work/begun-$conduit" "$here/begun.c"
done
mpicc.openmpi -O2 -std=gnu11 -DPEER -o "$work/peer" "$here/begun.c"
WIRE_MTU=9000
wired 2 "$delay" 10000 >/dev/null
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
each=$(((threads + 1) / 2))
on_first() { ip netns exec "${names[0]}" unshare --uts sh -c 'hostname "$0"; exec "$@"' "${names[0]}" "$@"; }
for ((i = 0; i < rounds; i++)); do
    FATHOM_THREADS=$threads "$work/begun-smp" 40 | sed 's/^/near\t/'
    mpirun.openmpi --bind-to none -n "$threads" "$work/peer" 40 | sed 's/^/near\t/'
    for program in begun-mpi peer; do
        on_first mpirun.openmpi -H "${hosts//,/:$each,}:$each" -n "$threads" --map-by node --bind-to none \
            --mca plm_rsh_agent "$work/agent" --mca btl tcp,vader,self --mca btl_tcp_if_include $net.0/24 \
            --mca oob_tcp_if_include $net.0/24 "$work/$program" 100 | sed 's/^/far\t/'
    done
    on_first env FATHOM_AGENT="$work/agent" FATHOM_HOSTS="${hosts//,/:$each,}:$((threads - each))" "$work/begun-libfabric" 100 | sed 's/^/far, libfabric\t/'
done | awk -F'\t' '
    { key = $1 "\t" $3 "\t" $2; n[key]++; for (f = 4; f <= 6; f++) v[key, f, n[key]] = $f; if (n[key] == 1) order[++keys] = key }
    function median(key, f,   i, j, t, m, a) {
        m = n[key]
        for (i = 1; i <= m; i++) a[i] = v[key, f, i]
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (a[j] < a[i]) { t = a[i]; a[i] = a[j]; a[j] = t }
        return a[int((m + 1) / 2)]
    }
    BEGIN { print "where\tbytes\tside\tblocks, ns\tbegun and waited, ns\thidden" }
    END { for (k = 1; k <= keys; k++) print order[k] "\t" median(order[k], 4) "\t" median(order[k], 5) "\t" median(order[k], 6) }'
