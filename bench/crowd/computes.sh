#!/bin/bash
# Threads that compute while others want something of them, over MPI and over template's sockets: computes.c.
#
#     computes.sh ROUNDS      FATHOM names the command
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-7}
fathom=${FATHOM:-fathom}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
runtime=$here/../../runtime
"${CC:-cc}" -O2 -D_GNU_SOURCE -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"' -I"$runtime" -I"$runtime/include" \
    -I"$runtime/lang" -c "$here/computes.c" -o "$work/computes.o"
for conduit in mpi template; do "$fathom" cc -O2 --conduit $conduit "$work/computes.o" -o "$work/$conduit"; done

run() { # run CONDUIT PROGRESS ARGUMENTS…
    local start=(env FATHOM_THREADS=2)
    [ "$1" != mpi ] || start=(env FATHOM_NODE_MAX=1 mpirun.openmpi --bind-to none -n 2)
    FATHOM_PROGRESS=$2 "${start[@]}" "$work/$1" "${@:3}"
}
# ratio WHAT CONDUIT: with a progress thread over without, in turn: the median and the range.
ratio() {
    local i
    for ((i = 0; i < rounds; i++)); do echo "$(run "$2" thread "$1" 1) $(run "$2" poll "$1" 1)"; done |
        awk '{ print $1 / $2, $1, $2 }' | sort -n |
        awk -v what="$1" -v conduit="$2" '{ r[NR] = $1; t[NR] = $2; p[NR] = $3 }
            END { printf "%s, %s: with a progress thread %s of without (%s to %s), for instance %s ns and %s ns\n", conduit, what,
                         r[int((NR + 1) / 2)], r[1], r[NR], t[int((NR + 1) / 2)], p[int((NR + 1) / 2)] }'
}
for conduit in mpi template; do
    echo "$conduit: operations at a thread that computes for 10 s (kind, number, median, 99 %, longest, us)"
    run $conduit thread serve 10
    ratio poll $conduit
    ratio alone $conduit
done
