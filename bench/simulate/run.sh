#!/bin/bash
# How fast `fathom simulate` is, and how much memory it takes (docs/simulating.md, "Speed").
#
#     bench/simulate/run.sh [ROUNDS [THREADS_OF_EM3D [THREADS_OF_CROWD]]]
#
# Prints a line for each figure: the median of the rounds, the lowest and the highest. Times of programs are the processors'
# time of all processes, user and system, since other work of the computer does not count there. What a program does once is
# taken off: a step of EM3D is half the difference of three steps and one; a stop is that of two numbers of stops.
# Memory is by how much less the computer has available while the program runs, so leave the computer alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5} em3d=${2:-2048} crowd=${3:-8000}
cd "$here/../.."
# BUILT=1: target/release has the command and the examples of crates/machine.
if [ -z "${BUILT:-}" ]; then
    cargo build --release -q -p fathom
    cargo build --release -q -p fathom-machine --example reservations --example accesses
fi
fathom=$PWD/target/release/fathom
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines NAME: VALUE UNIT of all rounds => one line for each name, in the order in which they came.
summary() {
    sort -s -t: -k1,1 -k2,2g | awk -F': ' '
        function say() { if (n) printf "%-58s %10s  (%s to %s) %s\n", name, v[int((n + 1) / 2)], v[1], v[n], unit }
        $1 != name { say(); n = 0; name = $1 }
        { split($2, f, " "); v[++n] = f[1]; unit = substr($2, length(f[1]) + 2) }
        END { say() }'
}

# Seconds of the processors that a command takes, with what it starts.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err"; } 2>"$work/time" || { cat "$work/err" >&2; return 1; }
    awk '{print $1 + $2}' "$work/time"
}

stops() { seconds "$fathom" simulate --machine "$work/many.toml" -n 1024 -O2 "$here/stops.upc" "$1"; }
step() { seconds "$fathom" simulate --machine t3d -n "$em3d" --heap 64M -O3 examples/em3d/em3d.upc get 500 20 20 "$1"; }

# As ib-edr, with enough nodes.
sed 's/down = { value = "18 x 36"/down = { value = "36 x 600"/' machines/ib-edr.toml >"$work/many.toml"
# MB of memory that a run takes, at most.
memory() {
    local available least
    available=$(awk '/^MemAvailable/{print $2}' /proc/meminfo)
    "$fathom" simulate --machine "$work/many.toml" -n "$crowd" --heap 1M -O2 "$here/crowd.upc" >"$work/out" &
    local job=$!
    least=$available
    while kill -0 $job 2>/dev/null; do
        local now
        now=$(awk '/^MemAvailable/{print $2}' /proc/meminfo)
        ((now < least)) && least=$now
        sleep 0.05
    done
    wait $job
    echo $(((available - least) / 1024))
}

# What is compiled the first time is not measured.
stops 1 >"$work/out"
"$fathom" simulate --machine t3d -n 4 --heap 64M -O3 examples/em3d/em3d.upc get 20 4 20 1 >"$work/out" 2>&1

for ((round = 0; round < rounds; round++)); do
    target/release/examples/reservations |
        awk -F: '{ sub(/^ +/, "", $1); split($2, f, /[;,()]/); split(f[3], m, " "); print "reservations, " $1 ": " m[2] " million/s" }'
    target/release/examples/accesses | awk '{ v = $1; $1 = $2 = ""; sub(/^ +/, ""); print "accesses, " $0 ": " v " million/s" }'
    few=$(stops 10)
    many=$(stops 210)
    echo "stops, 1,024 threads: $(awk "BEGIN{printf \"%.0f\", 1024 * 200 / ($many - $few)}") a second"
    if ((em3d)); then
        one=$(step 1)
        three=$(step 3)
        echo "EM3D get, a step of $em3d threads: $(awk "BEGIN{printf \"%.1f\", ($three - $one) / 2}") s"
        echo "EM3D get, what $em3d threads do once: $(awk "BEGIN{printf \"%.1f\", $one - ($three - $one) / 2}") s"
    fi
    if ((crowd)); then echo "memory, $crowd threads: $(memory) MB"; fi
done | tee /dev/stderr | summary
