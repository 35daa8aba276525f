#!/bin/bash
# Breaks jobs at random, and looks at how they end: faults.c says what is broken, program.c what the jobs do. For smp,
# and for mpi with each MPI that is installed. Says what fails, with the command that repeats it; the status is 0 if
# nothing does.
#
#     run.sh [--rounds N] [--mpi-rounds N] [--first SEED]     60 and 6 of each MPI; a round is its seed's
#     run.sh --only smp|openmpi|mpich --first SEED --rounds N one conduit's; FAULTS_VERBOSE=1 says what each round does
set -u
here=$(cd "$(dirname "$0")" && pwd)
suite=$(cd "$here/../../runtime/conformance" && pwd)/run.sh
rounds=60 mpi_rounds=6 first=1 only=
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$2 ;;
    --mpi-rounds) mpi_rounds=$2 ;;
    --first) first=$2 ;;
    --only) only=$2 ;;
    *) sed -n '2,8s/^# \?//p' "$0"; exit 2 ;;
    esac
    shift 2
done
[ -z "$only" ] || mpi_rounds=$rounds
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit
trap 'rm -rf "$work"' EXIT
unset FATHOM_THREADS FATHOM_CORES FATHOM_NODE_MAX XDG_CONFIG_HOME
export FATHOM_TUNING= FATHOM_HEAP=16m
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

"${CC:-cc}" -std=gnu17 -O1 -g -Wall -Wextra -Werror -o "$work/faults" "$here/faults.c" "$here/round.c" || exit

bad=0
play() { # play NAME CONDUIT ROUNDS LAUNCHER…
    local name=$1 conduit=$2 count=$3
    shift 3
    { [ -z "$only" ] || [ "$only" = "$name" ]; } && [ "$count" -gt 0 ] || return
    local dir=$work/$name
    local program=$dir/program
    if ! "$suite" build "$conduit" "$dir" || ! "$suite" compile "$dir" "$program" "$here/program.c"; then
        bad=1
        echo "FAIL $name: the job's program does not build"
        return
    fi
    # Whoever starts this may ignore hang-ups (nohup); the jobs must not.
    if env --default-signal=HUP,INT,QUIT,TERM,PIPE \
        "$work/faults" "$dir" "$program" "$conduit" "$first" "$count" "$@" "$program" >"$work/log" 2>&1; then
        [ -z "${FAULTS_VERBOSE:-}" ] || cat "$work/log"
        echo "$name: $(tail -1 "$work/log")"
        return
    fi
    bad=1
    sed "s/^FAIL round \([0-9]*\):/FAIL $name, tests\/faults\/run.sh --only $name --rounds 1 --first \1:/" "$work/log"
}

play smp smp "$rounds"
for mpi in openmpi mpich; do
    command -v "mpicc.$mpi" >/dev/null && command -v "mpirun.$mpi" >/dev/null || continue
    export MPICC=mpicc.$mpi MPIRUN=mpirun.$mpi
    # No binding: there are often more ranks than cores, and they take turns.
    if [ $mpi = openmpi ]; then options=(--bind-to none); else options=(); fi
    play $mpi mpi "$mpi_rounds" "mpirun.$mpi" "${options[@]}" -n %n
done
exit $bad
