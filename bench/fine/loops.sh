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
# shellcheck source=bench/either.sh
. "$here/../either.sh"
export FATHOM_COMM=${FATHOM_COMM:-on}
"${FATHOM:-fathom}" cc --conduit mpi -O3 -T 2 -o "$work/loops" "$here/loops.upc"
either "$work/loops" "${1:-9}"
