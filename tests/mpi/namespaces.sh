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
root=$(cd "$here/../.." && pwd)
runtime=$root/runtime

refuse() { # refuse REASON
    if [ "${CI:-}" = true ] || [ "${FATHOM_TEST_MPI:-}" = required ]; then
        echo "FAIL namespaces.sh: $1"
        exit 1
    fi
    echo "skipped: namespaces.sh: $1"
    exit 0
}

a=fathom-a-$$ b=fathom-b-$$ # namespaces
va=fa$$ vb=fb$$             # devices
net=10.213.77
work=$(mktemp -d)
bad=0

pids_of() { ip netns pids "$1" 2>/dev/null; }
kill_all_of() { local p; for p in $(pids_of "$1"); do kill -9 "$p" 2>/dev/null; done; }
clean_up() {
    kill_all_of "$a"
    kill_all_of "$b"
    ip netns del "$a" 2>/dev/null
    ip netns del "$b" 2>/dev/null
    # What Open MPI leaves when its daemon is killed, too; our own memory has no names.
    rm -rf /dev/shm/vader_segment."$a".* /dev/shm/vader_segment."$b".* /tmp/ompi."$a".* /tmp/ompi."$b".*
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

command -v ip >/dev/null && command -v unshare >/dev/null || refuse "ip (iproute2) or unshare is not installed"
{ ip netns add "$a" && ip netns add "$b" && ip netns exec "$a" unshare --uts true; } 2>/dev/null ||
    refuse "no right to make network namespaces (it needs root)"
link_up() {
    ip -n "$a" link del "$va" 2>/dev/null
    ip link add "$va" netns "$a" type veth peer name "$vb" netns "$b" || refuse "no virtual Ethernet devices"
    ip -n "$a" addr add $net.1/24 dev "$va" && ip -n "$b" addr add $net.2/24 dev "$vb"
    local n d
    for n in "$a" "$b"; do for d in lo "$va" "$vb"; do ip -n "$n" link set "$d" up 2>/dev/null; done; done
}
link_up

# on NAMESPACE COMMAND…: runs it there, as a computer of that name.
on() {
    local n=$1
    shift
    ip netns exec "$n" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$n" "$@"
}

# What the launchers call instead of ssh: [-x] ADDRESS COMMAND…
cat >"$work/agent" <<EOF
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
[ "\$1" = $net.1 ] && name=$a || name=$b
shift
exec ip netns exec \$name unshare --uts sh -c 'hostname '\$name'; exec sh -c "\$0"' "\$*"
EOF
chmod +x "$work/agent"

build() { # build FLAVOUR
    local cc=mpicc.$1 dir=$work/$1
    mkdir -p "$dir"
    local flags=(-std=gnu17 -O1 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang"
                 -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"')
    (cd "$dir" && printf '%s\0' "$runtime"/{core,gas,conduit/mpi,conduit/queue}/*.c "$runtime"/lang/{start,unit,explain_trace}.c "$here/cluster.c" |
        xargs -0 -P "$(nproc)" -I @@ sh -c '"$@" -c "$0" -o "$(echo "$0" | tr / _).o"' @@ "$cc" "${flags[@]}") &&
        "$cc" -o "$dir/cluster" "$dir"/*.o
}

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

fail() { # fail TEXT LOG
    bad=1
    echo "FAIL $1"
    tail -15 "$2" | sed 's/^/    /'
}

# Processes of `program` that run in a namespace.
running() {
    local p
    for p in $(pids_of "$1"); do
        [ "$(readlink "/proc/$p/exe" 2>/dev/null)" = "$2" ] && echo "$p"
    done
}

check() { # check FLAVOUR THREADS
    local log=$work/log
    if timeout 120 bash -c "$(declare -f on launch); a='$a' net='$net' va='$va' work='$work'; launch $1 $2 '$work/$1/cluster' check $(($2 / 2))" \
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
        if timeout 60 bash -c "$(declare -f on launch); a='$a' net='$net' va='$va' work='$work'; launch $1 4 '$work/$1/upc'" >"$log" 2>&1 </dev/null; then
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
    for i in {1..300}; do
        [ "$(grep -c ready "$log")" = 4 ] && break
        sleep 0.1
    done
    [ "$i" = 300 ] && { fail "$flavour, $how: the job does not start" "$log"; kill_all_of "$a"; kill_all_of "$b"; wait $launcher; return; }
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

flavours=("$@")
if [ $# = 0 ]; then
    for f in openmpi mpich; do command -v mpicc.$f >/dev/null && command -v mpirun.$f >/dev/null && flavours+=("$f"); done
fi
[ ${#flavours[@]} -gt 0 ] || refuse "no MPI (mpicc.openmpi or mpicc.mpich) is installed"

for flavour in "${flavours[@]}"; do
    build "$flavour" || { echo "FAIL building for $flavour"; exit 1; }
    check "$flavour" 2
    check "$flavour" 4
    [ -z "${FATHOM:-}" ] || upc_programs "$flavour"
    ends "$flavour" "a rank is killed" wait 10
    ends "$flavour" "a side is killed" wait 10
    ends "$flavour" "a side is killed" compute 10
    ends "$flavour" "the link is cut" wait 30
done
exit $bad
