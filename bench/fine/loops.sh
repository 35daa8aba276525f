#!/bin/bash
# Plain loops over far data beside code by hand over the same runtime (loops.upc has the meaning): lines for RESULTS.md.
#
#     loops.sh [ROUNDS]             on one computer, which two processes take for two (FATHOM_NODE_MAX=1)
#     loops.sh --tcp [ROUNDS]       in two network namespaces, over TCP; needs root
#
#     FATHOM=COMMAND                fathom, unless it is in PATH
#     FATHOM_COMM=on
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FATHOM_NODE_MAX=1 FATHOM_COMM=${FATHOM_COMM:-on}
fathom=${FATHOM:-fathom} tcp=
if [ "${1:-}" = --tcp ]; then tcp=1 && shift; fi
if [ $tcp ]; then
    set +e
    # shellcheck source=bench/between.sh
    . "$here/../between.sh"
    set -e
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
"$fathom" cc --conduit mpi -O3 -T 2 -o "$work/loops" "$here/loops.upc"
if [ $tcp ]; then
    between mpi "$work/loops" "${1:-9}"
else
    "$fathom" run -n 2 "$work/loops" "${1:-9}"
fi
