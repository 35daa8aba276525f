#!/bin/bash
# POSIX threads beside processes: builds rates.c for a conduit and runs, in turn, 8 processes and 2 processes of 4 POSIX threads
# (level multiple). Prints for each kind of operation the medians, in millions a second of all, and their ratio. On a
# busy computer the ratios mean little.
#
#     run.sh [CONDUIT [ROUNDS [MILLISECONDS]]]     smp, 9, 200
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suite=$here/../../runtime/conformance/run.sh
conduit=${1:-smp} rounds=${2:-9} ms=${3:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CFLAGS=-O2 "$suite" build "$conduit" "$work"
"$suite" compile "$work" "$work/rates" "$here/rates.c"
for ((i = 0; i < rounds; i++)); do
    "$suite" start "$work" 8 "$work/rates" 1 "$ms" | sed 's/^/processes /'
    "$suite" start "$work" 2 "$work/rates" 4 "$ms" | sed 's/^/threads /'
done | awk '
    { n[$1, $2]++; rate[$1, $2, n[$1, $2]] = $3; if (!seen[$2]++) kind[++kinds] = $2 }
    function median(side, k,   i, j, t, m) {
        m = n[side, k]
        for (i = 1; i <= m; i++) v[i] = rate[side, k, i]
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
        return v[int((m + 1) / 2)]
    }
    END {
        printf "%-10s %12s %12s %8s\n", "", "8 processes", "2 x 4", "ratio"
        for (i = 1; i <= kinds; i++) {
            p = median("processes", kind[i]); t = median("threads", kind[i])
            printf "%-10s %12.2f %12.2f %8.2f\n", kind[i], p, t, t / p
        }
    }'
