#!/bin/bash
# Programs between computers on a network of known delay and rate (tests/mpi/wired.sh), beside what `fathom simulate` predicts
# from a machine file that `fathom probe` has written on the same network.
#
#     run.sh build FOLDER                                          compiles the programs of `cases` for both
#     run.sh probe FOLDER COMPUTERS DELAY_US MBIT_S                probes the network, calibrates the work, and
#                                                                  forgets what was measured before
#     run.sh measure FOLDER COMPUTERS DELAY_US MBIT_S TIMES        runs each program TIMES times more
#     run.sh predict FOLDER COMPUTERS                              simulates them
#
# `measure` and `predict` write FOLDER/COMPUTERS/real and predicted: lines KIND, NAME and microseconds, by tabs; and,
# where a program fails, its name to FOLDER/COMPUTERS/failed and what it said to `errors`, and go on with the next one.
# `probe` and `measure` need root and Open MPI. One thread runs on each computer, and waits by polling, which gives the
# processor away between two polls, as if it had one of its own. So that it is probed in the same crowd, the prober has a thread
# on each, too. FATHOM names the command. ONLY, a regular expression,
# chooses among the cases by their names: `ONLY=patterns run.sh measure …` runs one more round of the patterns.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
fathom=${FATHOM:-fathom}
what=$1 folder=$(realpath -m "$2") computers=${3:-}
flags=(-O2)

# each COMMAND…: calls it with name, kind, program and arguments of each case that runs on `computers`, or of all.
each() {
    local name kind program arguments on
    while IFS='|' read -r name kind program arguments on; do
        case $name in '#'* | '') continue ;; esac
        [ -z "$computers" ] || [[ " $on " == *" $computers "* ]] || continue
        name=$(echo $name) kind=$(echo $kind) program=$(echo $program) arguments=$(echo $arguments)
        [ -z "${ONLY:-}" ] || [[ "$name" =~ $ONLY ]] || continue
        "$@" "$name" "$kind" "$program" "$arguments" </dev/null
    done < <(grep -v '^#' "$here/cases")
}

# The executable's name without its conduit: from the program and its definitions.
called() { echo "$folder/$(echo "$1" | tr -c 'A-Za-z0-9\n' _)"; }

compile() { # NAME KIND PROGRAM ARGUMENTS
    local source definitions word conduit out
    out=$(called "$3")
    read -r source definitions <<<"$3 "
    [ ! -e "$out.sim" ] || return 0
    cp "$top/$source" "$out.upc"
    for word in $definitions; do
        grep -q "^#define ${word%%=*} " "$out.upc" || { echo "run.sh: $source has no '#define ${word%%=*}'" >&2; exit 2; }
        sed -i "s/^#define ${word%%=*} .*/#define ${word%%=*} ${word#*=}/" "$out.upc"
    done
    local program=("$here/timed.upc" "-DPROGRAM=\"$out.upc\"" -I "$(dirname "$top/$source")")
    ! grep -q '^int main(int argc' "$out.upc" || program+=(-DHAS_ARGUMENTS)
    [ "$2" = whole ] || program=("$out.upc")
    for conduit in mpi sim; do "$fathom" cc "${flags[@]}" --conduit $conduit -o "$out.$conduit" "${program[@]}" -lm; done
}

# The lines of a program's output that are times, as KIND, NAME and microseconds.
times() { # NAME KIND
    awk -v name="$1" -v kind="$2" -v OFS='\t' '
        /^time whole / { print kind, name, $NF; next }
        /^time / { us = $NF; sub(/^time /, ""); sub(/ [^ ]*$/, ""); print kind, $0, us }
        / ns an edge/ { print kind, name " " $1, $2 / 1000 }'
}

calibrate() { # NAME KIND PROGRAM ARGUMENTS
    [ "$2" = whole ] || return 0
    "$fathom" simulate --calibrate "$out/$(basename "$(called "$3")").costs" --machine ib-edr -n "$computers" -o /dev/null \
        "$(called "$3").sim" $4 >"$out/log" 2>&1 || failed "$1" "its calibration"
}

failed() { # NAME STEP
    echo "$1: $2 failed" | tee -a "$out/failed" >>"$out/errors"
    cat "$out/log" >>"$out/errors"
}

run() { # NAME KIND PROGRAM ARGUMENTS
    wired_on timeout 100 "$fathom" run -n "$computers" "$(called "$3").mpi" $4 >"$out/log" 2>>"$out/errors" ||
        { failed "$1" "its run"; return 0; }
    times "$1" "$2" <"$out/log" >>"$out/real"
}

predict() { # NAME KIND PROGRAM ARGUMENTS
    local work=none
    [ "$2" != whole ] || work=calibrated:$out/$(basename "$(called "$3")").costs
    "$fathom" simulate --machine "$out/machine.toml" --work "$work" -n "$computers" -o "$out/$1.report" \
        "$(called "$3").sim" $4 >"$out/log" 2>>"$out/errors" || { failed "$1" "its simulation"; return 0; }
    times "$1" "$2" <"$out/log" >>"$out/predicted"
}

mkdir -p "$folder"
out=$folder/$computers
case $what in
build)
    computers=
    rm -f "$folder"/*.sim
    each compile
    ;;
probe | measure)
    mkdir -p "$out"
    # shellcheck source=tests/mpi/wired.sh
    . "$top/tests/mpi/wired.sh"
    WIRE_LOG=$out/wire wired "$computers" "$4" "$5"
    export FATHOM_MPICC=mpicc.openmpi FATHOM_HEAP=64m
    printf '# fathom tuning table 2\nconduit mpi\nspins: 100000000\n' >"$folder/tuning"
    export FATHOM_TUNING=$folder/tuning OMPI_MCA_mpi_yield_when_idle=1
    # A simulated machine performs the program's own transfers. What the runtime makes of them between real computers
    # (docs/mpi.md: words gathered, lines kept) is not simulated.
    export FATHOM_COMM=off
    if [ "$what" = measure ]; then
        for ((i = 0; i < $6; i++)); do each run; done
    else
        rm -f "$out"/{real,errors,failed,machine.toml}
        wired_on "$fathom" probe --conduit mpi -n "$computers" --only communication -o "$out/profile.toml" \
            --as-machine "$out/machine.toml" >"$out/probe.log" 2>&1 || { cat "$out/probe.log" >&2; exit 1; }
        each calibrate
    fi
    ;;
predict)
    rm -f "$out/predicted"
    each predict
    ;;
*)
    echo "run.sh: '$what' is neither build nor probe nor measure nor predict" >&2
    exit 2
    ;;
esac
