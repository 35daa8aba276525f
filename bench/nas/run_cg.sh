#!/bin/bash
# CG with the product as one writes it first (cg_plain.upc), without and with `#pragma fathom constant`, beside the form by hand
# (examples/nas/cg_bulk.upc), in turn: two threads over Open MPI.
#
#     run_cg.sh [ROUNDS [CLASS]]        on one computer, which the processes take for two (FATHOM_NODE_MAX=1)
#     run_cg.sh --tcp [ROUNDS [CLASS]]  in two network namespaces, over TCP; needs root
#
# FATHOM names the command. Prints seconds, the median of the rounds, and the time by hand divided by that of each form: the median of
# the rounds' ratios, with the lowest and the highest. A program whose result is wrong ends the script.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/either.sh
. "$here/../either.sh"
rounds=${1:-5} class=${2:-A} fathom=${FATHOM:-fathom} programs=$here/../../examples/nas
export FATHOM_CC="${CC:-gcc}" FATHOM_COMM=on
flags=(--conduit mpi -O3 -march=native -fcomm-opt -DCLASS="$class" -I "$programs")
"$fathom" cc "${flags[@]}" "$programs/cg_bulk.upc" -lm -o "$work/hand"
"$fathom" cc "${flags[@]}" "$here/cg_plain.upc" -lm -o "$work/plain"
"$fathom" cc "${flags[@]}" -DCONSTANT "$here/cg_plain.upc" -lm -o "$work/constant"
for ((i = 0; i < rounds; i++)); do
    for form in hand plain constant; do
        either "$work/$form" >"$work/out" 2>"$work/errors" || { cat "$work/out" "$work/errors" >&2; exit 1; }
        sed -n 's/.*, seconds: \([0-9.]*\),.*/\1/p' "$work/out"
    done | paste -sd ' '
done | awk '
    { for (f = 1; f <= 3; f++) { t[f, NR] = $f; r[f, NR] = $1 / $f } }
    function order(v, f,    i, j, x) {
        for (i = 1; i <= NR; i++)
            for (j = i + 1; j <= NR; j++)
                if (v[f, j] < v[f, i]) { x = v[f, i]; v[f, i] = v[f, j]; v[f, j] = x }
    }
    function median(v, f) { order(v, f); return NR % 2 ? v[f, (NR + 1) / 2] : (v[f, NR / 2] + v[f, NR / 2 + 1]) / 2 }
    END {
        split("by hand,plain,constant", name, ",")
        for (f = 1; f <= 3; f++)
            printf "| %s | %.3f s | %.3f (%.3f to %.3f) |\n", name[f], median(t, f), median(r, f), r[f, 1], r[f, NR]
    }'
