#!/bin/bash
# EM3D (examples/em3d) in Split-C and in UPC: nanoseconds an edge by version and by percentage of remote edges.
#
#     run.sh smp|mpi [THREADS [REPETITIONS [STEPS [PERCENT...]]]]
#
# smp: all threads share memory. mpi: half of the threads on each of two computers, which are network namespaces joined by
# a pair of virtual Ethernet devices, over Open MPI; needs root. A repetition runs every language, percentage and version
# once. Prints tables for Markdown: the median of the repetitions, and in parentheses the lowest and the highest.
# FATHOM names the command, NODES and DEGREE the size of the graph (500 and 20).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
where=${1:?smp or mpi}
threads=${2:-2} repetitions=${3:-7} steps=${4:-} nodes=${NODES:-500} degree=${DEGREE:-20}
shift $(($# < 4 ? $# : 4))
percents=("${@}")
[ ${#percents[@]} -gt 0 ] || percents=(0 5 10 20 40 70 100)
fathom=${FATHOM:-fathom}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

case $where in
smp)
    steps=${steps:-1000}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    start() { FATHOM_THREADS=$threads "$@"; }
    ;;
mpi)
    steps=${steps:-10}
    set +eu
    # shellcheck source=tests/mpi/two.sh
    . "$here/../../tests/mpi/two.sh" # sets work, a, b, va and net, and cleans up
    is_required() { true; }
    make_computers
    set -eu
    make_agent
    start() {
        on "$a" mpirun.openmpi -H $net.1:$((threads - threads / 2)),$net.2:$((threads / 2)) -n "$threads" --bind-to none \
            --mca plm_rsh_agent "$work/agent" --mca plm_rsh_no_tree_spawn 1 --mca pml ob1 --mca btl tcp,vader,self \
            --mca osc ^ucx --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24 "$@"
    }
    ;;
*)
    echo "run.sh: '$where' is neither smp nor mpi" >&2
    exit 2
    ;;
esac

for language in sc upc; do
    "$fathom" cc -O3 --conduit "$where" -o "$work/$language" "$here/../../examples/em3d/em3d.$language"
done
for ((i = 0; i < repetitions; i++)); do
    for percent in "${percents[@]}"; do
        for language in sc upc; do
            start "$work/$language" all "$nodes" "$degree" "$percent" "$steps" </dev/null >"$work/out" 2>&1 ||
                { cat "$work/out" >&2; exit 1; }
            awk -v key="$language $percent" '/ns an edge/ { print key, $1, $2 }' "$work/out" >>"$work/lines"
        done
    done
done

model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -1)
family=$(sed -n 's/^cpu family[^:]*: *//p' /proc/cpuinfo | head -1)
echo "$model (family $family), $(nproc) processors, Linux $(uname -r), $(date -u +%Y-%m-%d), load $(cut -d' ' -f1-3 /proc/loadavg)"
echo "$where, $threads threads, $nodes nodes of each kind on each, degree $degree, $steps steps, $repetitions repetitions; ns an edge"
for language in sc upc; do
    echo
    awk -v language=$language -v percents="${percents[*]}" '
        function median(key,    m, i, j, v, x) {
            m = n[key]
            for (i = 1; i <= m; i++) v[i] = ns[key, i]
            for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
            return show(v[int((m + 1) / 2)]) " (" show(v[1]) " to " show(v[m]) ")"
        }
        function show(ns) { return sprintf(ns < 10 ? "%.2f" : ns < 100 ? "%.1f" : "%.0f", ns) }
        $1 == language { key = $2 " " $3; ns[key, ++n[key]] = $4; if (!seen[$3]++) order[++versions] = $3 }
        END {
            count = split(percents, p, " ")
            line = "| " (language == "sc" ? "Split-C" : "UPC") " |"; rule = "|---|"
            for (i = 1; i <= count; i++) { line = line " " p[i] " % |"; rule = rule "---|" }
            print line; print rule
            for (k = 1; k <= versions; k++) {
                line = "| " order[k] " |"
                for (i = 1; i <= count; i++) line = line " " median(p[i] " " order[k]) " |"
                print line
            }
        }' "$work/lines"
done
