#!/bin/bash
# The programs of examples/coherence, as RESULTS.md has them.
#
#     run.sh smp|mpi [THREADS [ROUNDS]]
#
# mpi: all threads are far from each other (FATHOM_NODE_MAX=1). Prints what the programs print, in each of ROUNDS rounds.
# FATHOM names the command, FLAGS the compiler's options (-O3).
set -euo pipefail
where=${1:?smp or mpi} threads=${2:-2} rounds=${3:-3}
fathom=${FATHOM:-fathom}
flags=${FLAGS:--O3}
examples=$(cd "$(dirname "$0")/../../examples/coherence" && pwd)
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

[[ $where = smp ]] || export FATHOM_NODE_MAX=1
for program in handover sharers barriers; do
    # shellcheck disable=SC2086 # several options
    "$fathom" cc --conduit="$where" $flags -o "$built/$program" "$examples/$program.upc"
done
for ((round = 1; round <= rounds; round++)); do
    for program in handover sharers barriers; do
        arguments=(4096 5)
        [[ $program != barriers ]] || arguments=(4)
        echo "== $program on $where, round $round"
        "$fathom" run -n "$threads" "$built/$program" "${arguments[@]}"
    done
done
