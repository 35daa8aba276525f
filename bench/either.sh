# For scripts that source it, whose first argument may be --tcp, and is gone then: `work` is a folder, and `either PROGRAM ARGUMENTS…` runs two threads of a program
# for conduit mpi, on one computer, which they take for two (FATHOM_NODE_MAX=1), or in two network namespaces over TCP (between.sh).
tcp=
if [ "${1:-}" = --tcp ]; then tcp=1 && shift; fi
if [ $tcp ]; then
    set +e
    # shellcheck source=bench/between.sh
    . "$(dirname "${BASH_SOURCE[0]}")/between.sh"
    set -e
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FATHOM_NODE_MAX=1
either() {
    if [ $tcp ]; then
        between mpi "$@"
    else
        mpirun.openmpi --oversubscribe --bind-to none -n 2 "$@" </dev/null
    fi
}
