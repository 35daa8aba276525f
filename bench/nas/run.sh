#!/bin/bash
# The NAS programs of examples/nas in UPC beside C with OpenMP, in turn: speed is the OpenMP program's time divided by
# UPC's, within a round; the median of the rounds and the range.
#
#     run.sh [ROUNDS [CLASS [THREADS [PROGRAM...]]]]      for instance: run.sh 7 A 2 cg mg
#
# FATHOM names the command, CC the compiler of both sides (gcc), FLAGS its options (-O3 -march=native). A program whose
# result is wrong ends the script.
#
# On a busy computer elapsed times show its other work. BUSY=1 measures processor time instead: that of OpenMP's process
# divided by its threads, which sleep when they wait, and that of UPC's thread 0.
set -euo pipefail
rounds=${1:-7} class=${2:-A} threads=${3:-2}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- ep is cg mg ft
fathom=${FATHOM:-fathom}
flags=${FLAGS:--O3 -march=native}
parts=1
if [ -n "${BUSY:-}" ]; then
    flags+=' -DNAS_CLOCK=CLOCK_PROCESS_CPUTIME_ID'
    parts=$threads
    export OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0
fi
export FATHOM_CC=${CC:-gcc} OMP_NUM_THREADS=$threads FATHOM_THREADS=$threads
programs=$(cd "$(dirname "$0")/../../examples/nas" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fact() { sed -n "s/^$1[[:space:]]*: //p" /proc/cpuinfo | head -1; }
echo "class $class, $threads threads, $rounds rounds, $(date -u +%F)"
echo "compiler: $FATHOM_CC $($FATHOM_CC -dumpfullversion), $flags"
echo "host: $(fact "model name"), family $(fact "cpu family"), model $(fact model), $(nproc) processors"
echo "kernel: $(uname -r)"
echo
echo "| program | OpenMP | bulk UPC | speed of bulk | fine-grained UPC | speed of fine-grained |"
echo "|---|---|---|---|---|---|"
for name; do
    # shellcheck disable=SC2086
    {
        $FATHOM_CC $flags -fopenmp -DCLASS="$class" "$programs/${name}_omp.c" -lm -o "$work/omp"
        "$fathom" cc $flags -DCLASS="$class" "$programs/${name}_bulk.upc" -lm -o "$work/bulk"
        "$fathom" cc $flags -DCLASS="$class" "$programs/${name}_fine.upc" -lm -o "$work/fine"
    }
    for ((i = 0; i < rounds; i++)); do
        for form in omp bulk fine; do
            "$work/$form" >"$work/out" || { cat "$work/out" >&2; exit 1; }
            sed -n 's/.*, seconds: \([0-9.]*\),.*/\1/p' "$work/out"
        done | paste -sd ' '
    done | awk -v name="$name" -v parts="$parts" '
        { o[NR] = $1 / parts; b[NR] = $2; f[NR] = $3; rb[NR] = o[NR] / $2; rf[NR] = o[NR] / $3 }
        function sort(v,    i, j, x) {
            for (i = 1; i <= NR; i++)
                for (j = i + 1; j <= NR; j++)
                    if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
        }
        function median(v) { sort(v); return NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }
        function ratio(v) { return sprintf("%.3f (%.3f to %.3f)", median(v), v[1], v[NR]) }
        END {
            printf "| %s | %.3f s | %.3f s | %s ", toupper(name), median(o), median(b), ratio(rb)
            printf "| %.3f s | %s |\n", median(f), ratio(rf)
        }'
done
