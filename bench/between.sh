# For scripts that source it: two network namespaces (tests/mpi/two.sh), joined by TCP alone, and programs of EACH threads (1) on each of them.
# Needs root and Open MPI. Programs run with a high priority (nice -15), so that what else the computer does is less in the way.
is_required() { true; }
# shellcheck source=tests/mpi/two.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tests/mpi/two.sh"
make_computers
make_agent
export FATHOM_HEAP=64m
mpi=(mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none --mca pml ob1 --mca osc ^ucx)
between() { # between CONDUIT PROGRAM ARGUMENTS…
    local conduit=$1
    shift
    case $conduit in
    libfabric) FATHOM_AGENT=$work/agent FATHOM_HOSTS=$net.1:${EACH:-1},$net.2:${EACH:-1} on "$a" nice -n -15 "$@" ;;
    mpi) on "$a" nice -n -15 "${mpi[@]}" -H $net.1:${EACH:-1},$net.2:${EACH:-1} -n $((2 * ${EACH:-1})) --mca plm_rsh_agent "$work/agent" --mca plm_rsh_no_tree_spawn 1 --mca btl tcp,self \
        --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24 -x FATHOM_HEAP ${FATHOM_COMM:+-x FATHOM_COMM} "$@" ;;
    esac </dev/null
}
