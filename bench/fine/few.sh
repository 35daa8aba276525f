#!/bin/bash
# What FATHOM_COMM costs or gains where there is little to gather (few.upc, or the PROGRAM that is named): between two network namespaces over TCP, in turn.
#
#     few.sh [RUNS [CONDUIT [SETTING...]]]      default 3 mpi off default; FATHOM names the command
#
# `default` is FATHOM_COMM unset. Prints the median of the runs in nanoseconds, and its ratio to the first setting's. Needs root and Open MPI.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=bench/between.sh
. "$here/../between.sh"
runs=${1:-3} conduit=${2:-mpi}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- off default
"${FATHOM:-fathom}" cc --conduit "$conduit" -O2 -o "$work/few" "$here/${PROGRAM:-few}.upc" || exit 1
for ((i = 0; i < runs; i++)); do
    for setting; do
        [ "$setting" = default ] && unset FATHOM_COMM || export FATHOM_COMM=$setting
        between "$conduit" "$work/few" >"$work/out" || { cat "$work/out"; exit 1; }
        sed "s/^/$setting\t/" "$work/out" >>"$work/all"
    done
done
python3 - "$work/all" "$@" <<'END'
import re, statistics, sys
rows = {}
for line in open(sys.argv[1]):
    setting, rest = line.rstrip("\n").split("\t")
    name, ns = re.match(r"(.*?) +([0-9.]+) ns", rest).groups()
    rows.setdefault(name, {}).setdefault(setting, []).append(float(ns))
settings = list(dict.fromkeys(sys.argv[2:]))
print("| ns | " + " | ".join(settings) + " |\n|---|" + "---|" * len(settings))
for name, of in rows.items():
    first = statistics.median(of[settings[0]])
    cells = [f"{statistics.median(of[s]):.0f}" + (f" ({statistics.median(of[s]) / first:.2f})" if s != settings[0] else "") for s in settings]
    print(f"| {name} | " + " | ".join(cells) + " |")
END
