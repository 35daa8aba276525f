#!/bin/bash
# Builds the conformance suite for a conduit and runs it. For whoever writes a conduit; cargo test runs it too.
#
#     run.sh build CONDUIT [--reference] DIR     the runtime (core, gas, the conduit) and the suite, in DIR
#     run.sh run DIR THREADS [ARGUMENTS…]        the cases, all or those whose names contain an argument
#     run.sh ends DIR THREADS [NAME…]            the cases that prove how a job ends, each a job of its own
#     run.sh compile DIR PROGRAM SOURCE          a program of its own, in C or C++, against that runtime
#     run.sh start DIR THREADS PROGRAM [ARGUMENTS…]   starts it
#     run.sh all CONDUIT [THREADS…]              everything, with and without overrides, in a temporary folder
#
# CC is the compiler (default cc), MPICC the one for conduit mpi (default mpicc), MPIRUN its launcher (default: MPICC with mpirun
# in the place of mpicc), both when it is built. CFLAGS are further options. EMULATOR is a command that runs programs made for
# another processor. FATHOM_SEED chooses the random cases.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runtime=$(cd "$here/.." && pwd)
self=$here/run.sh

build() { # build CONDUIT [--reference] DIR
    local conduit=$1 reference= header=conduit/distributed.h
    shift
    [ "$1" = --reference ] && { reference=-DFATHOM_REFERENCE; shift; }
    local dir=$1 compiler=${CC:-cc}
    mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || return
    [ -f "$runtime/conduit/$conduit/fathom_conduit.h" ] && [ -z "$reference" ] && header=conduit/$conduit/fathom_conduit.h
    [ "$conduit" = mpi ] && compiler=${MPICC:-mpicc}
    local parts=() part
    for part in cluster launch queue; do
        grep -qs "conduit/$part/$part.h" "$runtime/conduit/$conduit"/*.c "${parts[@]}" && parts+=("$runtime/conduit/$part"/*.c)
    done
    [ "$conduit" != libfabric ] || echo -lfabric >"$dir/libraries"
    local flags=(-std=gnu17 -O1 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang"
                 -DFATHOM_CONDUIT_HEADER="\"$header\"" $reference ${CFLAGS:-})
    # Of lang only the start: the suite is about what lang stands on.
    local sources
    sources=$(ls "$runtime"/{core,gas,msg,queues,conduit/check,"conduit/$conduit",conformance}/*.c "$runtime"/lang/{start,unit,explain_trace}.c "${parts[@]}") || return
    rm -f "$dir"/*.o "$dir/suite" "$dir/libfathom.a"
    echo "$sources" | tr '\n' '\0' | (cd "$dir" && xargs -0 -P "$(nproc)" -I @@ sh -c \
        '"$@" -c "$0" -o "$(echo "${0#'"$runtime"'/}" | tr / _).o"' @@ "$compiler" "${flags[@]}") || return
    (cd "$dir" && ar rcs libfathom.a {core,gas,msg,queues,lang,conduit}_*.o && rm {core,gas,msg,queues,lang,conduit}_*.o) || return
    "$compiler" ${CFLAGS:-} -o "$dir/suite" "$dir"/*.o "$dir/libfathom.a" $(cat "$dir/libraries" 2>/dev/null) || return
    rm -f "$dir"/*.o
    echo "$header" >"$dir/header"
    [ "$conduit" != mpi ] || echo "${MPIRUN:-${compiler/mpicc/mpirun}}" >"$dir/launcher"
}

compile() { # compile DIR PROGRAM SOURCE
    local dir=$1 program=$2 source=$3 compiler=${CC:-cc} standard=gnu11
    case $source in *.cpp) compiler=${CXX:-c++} standard=c++17 ;; esac
    # The compilers' wrappers differ in the language only: mpicc, mpicxx, mpicc.mpich, mpicxx.mpich.
    if [ -f "$dir/launcher" ]; then
        compiler=${MPICC:-mpicc}
        case $source in *.cpp) compiler=${compiler/mpicc/mpicxx} ;; esac
    fi
    # Programs with OpenMP also run without it, where the compiler has no library for it.
    local openmp=-Wno-unknown-pragmas
    grep -q '#pragma omp' "$source" && echo 'int main(void) { return 0; }' |
        "$compiler" -fopenmp -x c - -o "$program" 2>/dev/null && openmp=-fopenmp
    "$compiler" -std=$standard -O2 -g -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang" \
        -DFATHOM_CONDUIT_HEADER="\"$(cat "$dir/header")\"" $openmp -o "$program" "$source" "$dir/libfathom.a" -lm \
        $(cat "$dir/libraries" 2>/dev/null)
}

is_hydra() { [ -f "$1/launcher" ] && "$(cat "$1/launcher")" --version 2>&1 | grep -q HYDRA; }

# Runs a program with so many threads, under the launcher that it was built for.
launch() { # launch DIR THREADS PROGRAM ARGUMENTS…
    local dir=$1 threads=$2 launcher=
    shift 2
    [ -f "$dir/launcher" ] && launcher=$(cat "$dir/launcher")
    # Under the launcher of another MPI each process would be a job of one thread: with this it refuses to start.
    export FATHOM_THREADS=$threads
    if [ -z "$launcher" ]; then
        exec ${EMULATOR:-} "$@"
    elif "$launcher" --version 2>&1 | grep -q 'Open MPI\|OpenRTE'; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
        # No binding: there are often more ranks than cores, and they take turns.
        exec "$launcher" --bind-to none -n "$threads" "$@"
    else
        exec "$launcher" -n "$threads" "$@"
    fi
}

# Each ENDS: the status, the message, and that nothing is left.
ends() { # ends DIR THREADS [NAME…]
    local dir=$1 threads=$2 bad=0 ran=0
    shift 2
    local err out
    err=$(mktemp) out=$(mktemp)
    export SUITE_RUN=$$.$RANDOM # in the environment of every process of these jobs
    local name least want message
    while IFS=$'\t' read -r name least want message; do
        [ "$threads" -ge "$least" ] || continue
        [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
        ran=$((ran + 1))
        local status text why=
        { (launch "$dir" "$threads" "$dir/suite" --limit 300 "=$name") >"$out" 2>"$err" </dev/null; status=$?; } 2>/dev/null
        [ -z "${EMULATOR:-}" ] || sed -i '/^qemu: uncaught target signal/d' "$err"
        # What MPI's launcher adds is not ours: only lines that begin with our name, or all where there is no launcher.
        if [ -f "$dir/launcher" ]; then text=$(grep '^fathom: \|^suite: ' "$err" | tr '\n' '|'); else text=$(tr '\n' '|' <"$err"); fi
        # Hydra's status is made of all ranks', those among them that it has killed because one ended the job (docs/mpi.md).
        if [ "$status" != 0 ] && is_hydra "$dir" && [[ $want != 0 || $name == end_by_gas_exit* ]]; then status=$want; fi
        if [ "$status" != "$want" ]; then why="status $status, not $want"
        elif ! [[ $text =~ ^($message)$ ]]; then why="stderr is not $message"
        elif left "$dir/suite"; then why="processes are left"
        fi
        [ -z "$why" ] && continue
        bad=$((bad + 1))
        echo "FAIL $name ($threads threads): $why"
        head -c 600 "$err" | head -5 | sed 's/^/    err: /'
    done < <("$dir/suite" --list-ends)
    rm -f "$err" "$out"
    echo "$((ran - bad)) of $ran ends good, $threads threads"
    return $((bad > 0))
}

# Is a process of this program, started by this run, still there after two minutes? Others may run the same program.
left() {
    local exe found program=$1 until=$((SECONDS + 120))
    [ -z "${EMULATOR:-}" ] || program='*'
    while [ $SECONDS -lt $until ]; do
        found=
        # One command looks at all processes: one for each would take longer than the job.
        while read -r exe; do
            grep -qzx "SUITE_RUN=$SUITE_RUN" "${exe%/exe}/environ" 2>/dev/null && found=1
        done < <(find /proc/[0-9]*/exe -maxdepth 0 -lname "$program" 2>/dev/null)
        [ -z "$found" ] && return 1
        sleep 0.02
    done
    return 0
}

all() { # all CONDUIT [THREADS…]
    local conduit=$1 bad=0 reference threads
    shift
    [ $# -gt 0 ] || set -- 1 2 3 4 5 6 7 8
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for reference in "" --reference; do
        echo "== $conduit $reference"
        build "$conduit" $reference "$work/built" || return
        for threads in "$@"; do
            "$self" run "$work/built" "$threads" || bad=1
            "$self" ends "$work/built" "$threads" || bad=1
        done
    done
    return $bad
}

command=${1:-help}
[ $# -gt 0 ] && shift
case $command in
build) build "$@" ;;
run)
    dir=$1 threads=$2
    shift 2
    launch "$dir" "$threads" "$dir/suite" "$@"
    ;;
compile) compile "$@" ;;
start) launch "$@" ;;
ends) ends "$@" ;;
all) all "$@" ;;
*) sed -n '2,14s/^# \?//p' "$self"; exit 2 ;;
esac
