# For namespaces.sh and slurm.sh, which source this: two network namespaces, $a and $b, joined by a pair of virtual Ethernet
# devices, each with a host name of its own: two computers that share nothing but TCP. Sets `root` and `runtime`, `work` (a
# temporary folder), and `bad` to 0. `clean_up_more`, if there is such a function, is called first at the end.

script=$(basename "$0")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runtime=$root/runtime

# May the test not be skipped? A script may know better.
type -t is_required >/dev/null || is_required() { [ "${CI:-}" = true ] || [ "${FATHOM_TEST_MPI:-}" = required ]; }
refuse() { # refuse REASON
    if is_required; then
        echo "FAIL $script: $1"
        exit 1
    fi
    echo "skipped: $script: $1"
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
    if [ "$(type -t clean_up_more)" = function ]; then clean_up_more; fi
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

link_up() {
    ip -n "$a" link del "$va" 2>/dev/null
    ip link add "$va" netns "$a" type veth peer name "$vb" netns "$b" || refuse "no virtual Ethernet devices"
    ip -n "$a" addr add $net.1/24 dev "$va" && ip -n "$b" addr add $net.2/24 dev "$vb"
    local n d
    for n in "$a" "$b"; do for d in lo "$va" "$vb"; do ip -n "$n" link set "$d" up 2>/dev/null; done; done
}
# know NAMESPACE ADDRESS DEVICE PEER PEERS-DEVICE: there the address is the peer's, without asking.
know() {
    local ether=$(ip -n "$4" -o link show "$5" | sed -n 's/.*link\/ether \([^ ]*\).*/\1/p')
    ip -n "$1" neigh replace "$2" lladdr "$ether" dev "$3" nud permanent
}
make_computers() {
    command -v ip >/dev/null && command -v unshare >/dev/null || refuse "ip (iproute2) or unshare is not installed"
    { ip netns add "$a" && ip netns add "$b" && ip netns exec "$a" unshare --uts true; } 2>/dev/null ||
        refuse "no right to make network namespaces (it needs root)"
    link_up
}

# on NAMESPACE COMMAND…: runs it there, as a computer of that name.
on() {
    local n=$1
    shift
    ip netns exec "$n" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$n" "$@"
}

# $work/agent, which launchers call instead of ssh: [-x] ADDRESS COMMAND…
make_agent() {
    cat >"$work/agent" <<EOF
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
[ "\$1" = $net.1 ] && name=$a || name=$b
shift
exec ip netns exec \$name unshare --uts sh -c 'hostname '\$name'; exec sh -c "\$0"' "\$*"
EOF
    chmod +x "$work/agent"
}

# The program cluster.c in $work/FLAVOUR.
build() { # build FLAVOUR
    local cc=mpicc.$1 dir=$work/$1
    mkdir -p "$dir"
    local flags=(-std=gnu17 -O1 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang"
                 -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"')
    (cd "$dir" && printf '%s\0' "$runtime"/{core,gas,msg,queues,conduit/check,conduit/mpi,conduit/cluster,conduit/queue}/*.c "$runtime"/lang/{start,unit,explain_trace}.c "$root/tests/mpi/cluster.c" |
        xargs -0 -P "$(nproc)" -I @@ sh -c '"$@" -c "$0" -o "$(echo "$0" | tr / _).o"' @@ "$cc" "${flags[@]}") &&
        "$cc" -o "$dir/cluster" "$dir"/*.o
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
