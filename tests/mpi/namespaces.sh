#!/bin/bash
# Two network namespaces joined by a pair of virtual Ethernet devices, each with a host name of its own: two computers, for
# MPI, that share nothing but TCP. Runs a program across them with 2 and 4 threads (with 4, two on each side, so that shared
# memory and TCP mix); then ends one side, in three ways, and demands that the other side ends within seconds.
#
#     namespaces.sh [openmpi|mpich]...       default: each that is installed
#
# Needs root (or the right to make namespaces). Without it, it is skipped, unless CI=true or FATHOM_TEST_MPI=required.
# FATHOM: path of the command `fathom`; some of the UPC programs of tests/run are then run with 4 threads, too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/mpi/two.sh
. "$here/two.sh"
c=fathom-c-$$ vc=fc$$ vs=fs$$ # a third computer, and the devices between it and $a
other_net=10.213.78
clean_up_more() {
    kill_all_of "$c"
    ip netns del "$c" 2>/dev/null
}
make_computers

make_agent

# launch FLAVOUR THREADS PROGRAM…: half of the threads on each side; the launcher itself is on the first.
launch() {
    local flavour=$1 half=$(($2 / 2)) threads=$2
    shift 2
    export FATHOM_HEAP=${FATHOM_HEAP:-256m}
    case $flavour in
    openmpi)
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        on "$a" mpirun.openmpi -H $net.1:$half,$net.2:$half -n "$threads" --bind-to none --mca plm_rsh_agent "$work/agent" \
            --mca plm_rsh_no_tree_spawn 1 --mca pml ob1 --mca btl tcp,vader,self --mca osc ^ucx \
            --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24 \
            --mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 5 \
            -x FATHOM_HEAP "$@"
        ;;
    mpich)
        # UCX takes the namespaces of one kernel for one computer: shared memory has to be forbidden.
        UCX_TLS=tcp,self on "$a" mpirun.mpich -launcher ssh -launcher-exec "$work/agent" -iface "$va" \
            -hosts $net.1:$half,$net.2:$half -n "$threads" "$@"
        ;;
    esac
}

check() { # check FLAVOUR THREADS
    local log=$work/log
    if timeout 600 bash -c "$(declare -f on launch); a='$a' net='$net' va='$va' work='$work'; launch $1 $2 '$work/$1/cluster' check $(($2 / 2))" \
        >"$log" 2>&1 </dev/null && grep -q "^good: $2 threads" "$log"; then
        echo "good: $1, $2 threads on two computers"
    else
        fail "$1, $2 threads on two computers" "$log"
    fi
}

# UPC programs of a few kinds: accesses, strict ones, blocks, fences, barriers.
upc_programs() { # upc_programs FLAVOUR
    local source name log=$work/log
    for name in 6.5-struct-assignment 6.5.2.1-layout-of-int 6.5.1.1-strict-objects-of-every-type 6.6.1-fence-publishes \
        6.6.1-barrier-separates-phases; do
        source=$root/tests/run/$name.upc
        FATHOM_MPICC=mpicc.$1 "$FATHOM" cc --conduit mpi -O1 -o "$work/$1/upc" "$source" >"$log" 2>&1 || { fail "$1: compiling $name" "$log"; continue; }
        if timeout 300 bash -c "$(declare -f on launch); a='$a' net='$net' va='$va' work='$work'; launch $1 4 '$work/$1/upc'" >"$log" 2>&1 </dev/null; then
            echo "good: $1, $name"
        else
            fail "$1, $name with 4 threads on two computers" "$log"
        fi
    done
}

# ends FLAVOUR HOW WHAT SECONDS: with 4 threads running, ends one side.
ends() {
    local flavour=$1 how=$2 what=$3 seconds=$4 log=$work/log program=$work/$1/cluster
    launch "$flavour" 4 "$program" "$what" >"$log" 2>&1 </dev/null &
    local launcher=$! i
    for i in {1..1200}; do
        [ "$(grep -c ready "$log")" = 4 ] && break
        sleep 0.1
    done
    [ "$i" = 1200 ] && { fail "$flavour, $how: the job does not start" "$log"; kill_all_of "$a"; kill_all_of "$b"; wait $launcher; return; }
    sleep 0.5
    local start=$SECONDS status=0
    case $how in
    "a rank is killed") kill -9 "$(running "$b" "$program" | head -1)" ;;
    "a side is killed") kill_all_of "$b" ;;
    "the link is cut") ip -n "$a" link set "$va" down ;;
    esac
    # MPICH's launcher notices no cut (its connections have no keep-alive): there, the program's processes must have ended.
    local launcher_too=1
    [ "$flavour" = mpich ] && [ "$how" = "the link is cut" ] && launcher_too=
    for ((i = 0; i < seconds * 10; i++)); do
        { [ -n "$launcher_too" ] && kill -0 $launcher 2>/dev/null; } || [ -n "$(running "$a" "$program")$(running "$b" "$program")" ] || break
        sleep 0.1
    done
    local left="$(running "$a" "$program") $(running "$b" "$program")" waits=
    [ -n "$launcher_too" ] && kill -0 $launcher 2>/dev/null && waits=1
    [ -n "$waits" ] || [ -z "$launcher_too" ] && kill_all_of "$a"
    kill_all_of "$b"
    { wait $launcher; } 2>/dev/null
    status=$?
    kill_all_of "$a"
    if [ "${left// /}" ]; then fail "$flavour, $how: processes are left after $seconds s: $left" "$log"
    elif [ -n "$waits" ]; then fail "$flavour, $how: the launcher has not ended after $seconds s" "$log"
    elif [ "$status" = 0 ]; then fail "$flavour, $how: status 0" "$log"
    else echo "good: $flavour, $how ($what): ended with status $status after $((SECONDS - start)) s"
    fi
    [ "$how" != "the link is cut" ] || link_up
}

strangers() { # strangers FLAVOUR
    local log=$work/log program=$work/$1/strangers
    if mpicc."$1" -std=gnu17 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang" \
        -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"' -o "$program" "$here/strangers.c" >"$log" 2>&1 &&
        timeout 300 "$program" >"$log" 2>&1; then
        echo "$(tail -1 "$log") ($1)"
    else
        fail "$1: strangers at the socket of shared memory" "$log"
    fi
}

# The program's own connections: a server, which is none of the job's computers, goes away, and the job goes on.
own() { # own FLAVOUR
    local log=$work/log program=$work/$1/cluster i status
    rm -f cut
    ip netns add "$c" && ip link add "$vs" netns "$a" type veth peer name "$vc" netns "$c" || refuse "no third computer"
    ip -n "$a" addr add $other_net.1/24 dev "$vs" && ip -n "$c" addr add $other_net.2/24 dev "$vc"
    ip -n "$a" link set "$vs" up && ip -n "$c" link set "$vc" up
    # UCX may give the others this address of the first computer, which then leads there by the link between the two.
    ip -n "$b" route add $other_net.1/32 via $net.1
    on "$c" "$program" serve >"$work/serves" 2>&1 </dev/null &
    for i in {1..3000}; do grep -qs serves "$work/serves" && break; sleep 0.1; done
    # A new virtual Ethernet device may answer no ARP for seconds, and who asks then finds no route to the host: so nobody
    # has to ask.
    know "$a" $other_net.2 "$vs" "$c" "$vc"
    know "$c" $other_net.1 "$vc" "$a" "$vs"
    for i in {1..300}; do on "$a" bash -c ": </dev/tcp/$other_net.2/7777" 2>/dev/null && break; sleep 0.1; done
    (cd "$work" && launch "$1" 4 "$program" own $other_net.2 $net.1) >"$log" 2>&1 </dev/null &
    local launcher=$!
    for i in {1..1200}; do { grep -q ready "$log" || ! kill -0 $launcher 2>/dev/null; } && break; sleep 0.1; done
    ip -n "$c" link set "$vc" down
    touch "$work/cut"
    for i in {1..3000}; do kill -0 $launcher 2>/dev/null || break; sleep 0.1; done
    kill_all_of "$c"
    [ "$i" != 3000 ] || { kill_all_of "$a"; kill_all_of "$b"; }
    { wait $launcher; } 2>/dev/null
    status=$?
    if [ "$status" = 0 ] && grep -q "^good: the program's own" "$log"; then echo "good: $1, the program's own connections"
    else fail "$1, the program's own connections: status $status" "$log"
    fi
    rm -f "$work/cut"
    ip -n "$b" route del $other_net.1/32
    ip -n "$a" link del "$vs" 2>/dev/null
    ip netns del "$c"
}

# Windows with separate copies are not used: data crosses as messages.
separate() { # separate FLAVOUR
    local log=$work/log library=$work/$1/separate.so
    if mpicc."$1" -shared -fPIC -Wall -Wextra -Werror -o "$library" "$here/separate.c" >"$log" 2>&1 &&
        FATHOM_HEAP=64m FATHOM_NODE_MAX=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
            OMPI_MCA_rmaps_base_oversubscribe=1 timeout 300 mpirun."$1" -n 2 env LD_PRELOAD="$library" \
            "$work/$1/cluster" check 1 >"$log" 2>&1 </dev/null && grep -q '^good: 2 threads' "$log"; then
        echo "good: $1, windows with separate copies"
    else
        fail "$1, windows with separate copies" "$log"
    fi
}

# A zombie is dead: the launcher is stopped, and asks for nobody's status, when a rank is killed; the others end.
zombie() { # zombie FLAVOUR
    local log=$work/log program=$work/$1/cluster i p left mpirun pids victim
    FATHOM_HEAP=64m OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        mpirun."$1" -n 3 "$program" wait >"$log" 2>&1 </dev/null &
    mpirun=$!
    for i in {1..1200}; do [ "$(grep -c ready "$log")" = 3 ] && break; sleep 0.1; done
    pids=$(for p in /proc/[0-9]*; do [ "$(readlink "$p/exe")" = "$program" ] && echo "${p#/proc/}"; done 2>/dev/null)
    victim=$(echo "$pids" | tail -1)
    local parents=$(for p in $pids; do awk '/^PPid/ {print $2}' "/proc/$p/status"; done | sort -u)
    kill -STOP $mpirun $parents
    kill -9 "$victim"
    for i in {1..3000}; do
        left=$(for p in $pids; do grep -q '^State:.*[RSDT] (' "/proc/$p/status" && echo "$p"; done 2>/dev/null)
        [ -z "$left" ] && break
        sleep 0.1
    done
    kill -CONT $mpirun $parents 2>/dev/null # it passes the message on, and ends
    for i in {1..3000}; do kill -0 $mpirun 2>/dev/null || break; sleep 0.1; done
    kill -9 $mpirun 2>/dev/null
    if [ "$(echo "$pids" | wc -w)" != 3 ]; then fail "$1, a rank that nobody reaps: the job does not start" "$log"
    elif [ -n "$left" ]; then fail "$1, a rank that nobody reaps: others go on: $left" "$log"; kill -9 $left
    elif [ "$(grep -c '^fathom:.*has ended; the job ends' "$log")" != 1 ]; then fail "$1, a rank that nobody reaps: no message" "$log"
    else echo "good: $1, a rank that nobody reaps"
    fi
    { wait $mpirun; } 2>/dev/null
}

flavours=("$@")
if [ $# = 0 ]; then
    for f in openmpi mpich; do command -v mpicc.$f >/dev/null && command -v mpirun.$f >/dev/null && flavours+=("$f"); done
fi
[ ${#flavours[@]} -gt 0 ] || refuse "no MPI (mpicc.openmpi or mpicc.mpich) is installed"

for flavour in "${flavours[@]}"; do
    build "$flavour" || { echo "FAIL building for $flavour"; exit 1; }
    strangers "$flavour"
    check "$flavour" 2
    check "$flavour" 4
    [ -z "${FATHOM:-}" ] || upc_programs "$flavour"
    separate "$flavour"
    zombie "$flavour"
    own "$flavour"
    ends "$flavour" "a rank is killed" wait 60
    ends "$flavour" "a side is killed" wait 60
    ends "$flavour" "a side is killed" compute 60
    ends "$flavour" "the link is cut" wait 60
done
exit $bad
