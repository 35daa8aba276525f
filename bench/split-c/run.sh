#!/bin/bash
# Split-C against plain C on shared memory, and its gets against blocking reads and gas_get over MPI.
#
#     run.sh [ROUNDS]
#
# Each round starts both programs once. Prints a table for Markdown: the median of the rounds' medians, and the lowest
# and highest ratio of all batches. FATHOM names the command.
set -Eeuo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5} fathom=${FATHOM:-fathom} runtime=$here/../../runtime
# Functions begin at lines of the cache: without that the same code of two files differs by up to a fifth.
flags="-O3 -march=native -falign-functions=64"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A shell says nothing of a command that fails under -e, and little of one that a signal ends.
trap 'echo "run.sh: line $LINENO: status $? of: $BASH_COMMAND" >&2' ERR
for signal in HUP INT TERM; do
    # shellcheck disable=SC2064
    trap "echo 'run.sh: ended by SIG$signal' >&2; exit 1" "$signal"
done

# step WHAT COMMAND...: its output is in $work/out; if it fails, everything that it printed is shown.
step() {
    local what=$1 status=0
    shift
    "$@" </dev/null >"$work/out" 2>"$work/err" || status=$?
    if [ $status -ne 0 ]; then
        echo "run.sh: $what failed with status $status: $*" >&2
        cat "$work/out" "$work/err" >&2
        exit 1
    fi
    cat "$work/err" >&2
}
# As step, for a program that prints rows: as many in each round.
rows() {
    step "$@"
    local now
    now=$(wc -l <"$work/out")
    if [ "$now" -eq 0 ] || [ "$now" -ne "$(cat "$work/rows of $1" 2>/dev/null || echo "$now")" ]; then
        echo "run.sh: $1 printed $now rows:" >&2
        cat "$work/out" >&2
        exit 1
    fi
    echo "$now" >"$work/rows of $1"
    cat "$work/out" >>"$work/lines"
}

# shellcheck disable=SC2086
{
    step "the C side of local.sc" cc $flags -c -o "$work/kernels_c.o" "$here/kernels_c.c"
    step "the C side of far.sc" cc $flags -D_GNU_SOURCE -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"' \
        -I"$runtime" -I"$runtime/include" -I"$runtime/lang" -c -o "$work/far_c.o" "$here/far_c.c"
    step "compiling local.sc" "$fathom" cc $flags -o "$work/local" "$here/local.sc" "$work/kernels_c.o"
    step "compiling far.sc" "$fathom" cc $flags --conduit mpi -o "$work/far" "$here/far.sc" "$work/far_c.o"
}
for ((i = 0; i < rounds; i++)); do
    rows "local.sc" env FATHOM_THREADS=2 "$work/local"
    rows "far.sc" env FATHOM_NODE_MAX=1 mpirun -n 2 "$work/far"
done

model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -1)
family=$(sed -n 's/^cpu family[^:]*: *//p' /proc/cpuinfo | head -1)
number=$(sed -n 's/^model[^a-z:]*: *//p' /proc/cpuinfo | head -1)
echo "$model (family $family, model $number), $(nproc) processors, Linux $(uname -r), $(cc --version | head -1)," \
    "$(date -u +%Y-%m-%d), load $(cut -d' ' -f1-3 /proc/loadavg), $rounds rounds"
echo
awk -F'\t' '
    function median(list, m,    i, j, v, x) {
        for (i = 1; i <= m; i++) v[i] = list[i]
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
        return v[int((m + 1) / 2)]
    }
    function of(name, row,    i, list) {
        for (i = 1; i <= n[row]; i++) list[i] = value[name, row, i]
        return median(list, n[row])
    }
    {
        if (!($1 in n)) order[++rows] = $1
        i = ++n[$1]; kind[$1] = $2; target[$1] = $6
        value["ratio", $1, i] = $3; value["ours", $1, i] = $7; value["other", $1, i] = $8
        if (i == 1 || $4 < low[$1]) low[$1] = $4
        if (i == 1 || $5 > high[$1]) high[$1] = $5
    }
    END {
        print "| row | | median | range | target | | ns, Split-C | ns, the other |"
        print "|---|---|---|---|---|---|---|---|"
        for (k = 1; k <= rows; k++) {
            r = order[k]; ratio = of("ratio", r); speed = kind[r] == "speed"
            goal = target[r] == 0 ? "" : (speed ? "≥ " : "≤ ") target[r]
            verdict = goal == "" ? "" : (speed ? ratio >= target[r] : ratio <= target[r]) ? "pass" : "**misses**"
            printf "| %s | %s | %.3f | %.3f to %.3f | %s | %s | %.4g | %.4g |\n", r, kind[r], ratio, low[r], high[r],
                goal, verdict, of("ours", r), of("other", r)
        }
    }' "$work/lines"
