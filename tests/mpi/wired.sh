# For scripts that source it: network namespaces on a switch of known delay and rate (wire.c), each with a host name of its own:
# computers that share nothing but TCP, and whose network is known. Source it, and call
#
#     wired COMPUTERS DELAY_US MBIT_S
#
# A packet is of WIRE_MTU bytes at most, 1500 if it is not set; each costs the switch some 10 us of a processor.
# It sets `names` (the namespaces), `hosts` (their addresses, by commas), `net`, `root` and `work` (a temporary folder with
# `agent`, which launchers call instead of ssh). Everything is removed when the script ends. Needs root.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
net=10.213.79
work=$(mktemp -d)
names=() hosts=

wired_end() {
    local n p
    trap '' INT TERM HUP # a second signal must not end this half-way
    [ -z "${wire_in:-}" ] || exec {wire_in}>&- # ends the switch, which then says how it went
    [ -z "${wire_pid:-}" ] || wait "$wire_pid"
    for n in "${names[@]}"; do
        for p in $(ip netns pids "$n" 2>/dev/null); do kill -9 "$p" 2>/dev/null; done
        ip netns del "$n" 2>/dev/null
        rm -rf /dev/shm/vader_segment."$n".* /tmp/ompi."$n".*
    done
    rm -rf "$work"
}
wired_refuse() {
    echo "$(basename "$0"): $1" >&2
    exit 3
}

wired() { # wired COMPUTERS DELAY_US MBIT_S
    local i n
    trap wired_end EXIT
    trap 'exit 1' INT TERM HUP
    command -v ip >/dev/null && command -v unshare >/dev/null || wired_refuse "ip (iproute2) or unshare is not installed"
    [ -c /dev/net/tun ] || wired_refuse "no /dev/net/tun"
    ${CC:-cc} -std=gnu17 -O2 -Wall -Wextra -o "$work/wire" "$root/tests/mpi/wire.c" || wired_refuse "the switch cannot be compiled"
    for ((i = 1; i <= $1; i++)); do
        n=fathom-w$i-$$
        ip netns add "$n" 2>/dev/null || wired_refuse "no right to make network namespaces (it needs root)"
        names+=("$n")
        hosts+=${hosts:+,}$net.$i
    done
    mkfifo "$work/in"
    "$work/wire" "$2" "$3" "${names[@]}" <"$work/in" >"$work/wire.out" 2>"${WIRE_LOG:-/dev/stderr}" &
    wire_pid=$!
    exec {wire_in}>"$work/in"
    until grep -q ready "$work/wire.out" 2>/dev/null; do
        kill -0 "$wire_pid" 2>/dev/null || wired_refuse "the switch does not start"
        sleep 0.05
    done
    for ((i = 1; i <= $1; i++)); do
        n=${names[i - 1]}
        ip -n "$n" addr add $net.$i/24 dev wire && ip -n "$n" link set lo up && ip -n "$n" link set wire up txqueuelen 10000 mtu "${WIRE_MTU:-1500}" ||
            wired_refuse "the device of $n cannot be set up"
        # TCP counts what it may have under way in segments, of which a short message takes a whole one, 10 at first: then a
        # stream of short messages would be ten a round trip until the window has grown. Nor does it shrink when idle.
        # It is Reno, which every kernel has and which without losses never slows down. BBR, the default of some
        # systems, does: it measures a rate, which of few short messages is far below the network's, and paces what
        # comes next by that; and every ten seconds it has four segments under way only, for 0.2 s, to measure the round
        # trip.
        ip netns exec "$n" sysctl -qw net.ipv4.tcp_congestion_control=reno net.ipv4.tcp_slow_start_after_idle=0 \
            net.ipv4.tcp_no_metrics_save=1 net.ipv6.conf.all.disable_ipv6=1
        ip -n "$n" route replace $net.0/24 dev wire src $net.$i initcwnd 1000 initrwnd 1000
    done
    cat >"$work/agent" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
name=fathom-w\${1##*.}-$$
shift
exec ip netns exec \$name unshare --uts sh -c 'hostname '\$name'; exec sh -c "\$0"' "\$*"
END
    chmod +x "$work/agent"
}

# wired_on COMMAND…: on the first computer, with a launcher in FATHOM_MPIRUN that places as many threads on each computer as on
# every other one, `each` of them (1 if it is not set).
wired_on() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        FATHOM_MPIRUN="mpirun.openmpi -H ${hosts//,/:${each:-1},}:${each:-1} --bind-to none --mca plm_rsh_agent $work/agent \
        --mca plm_rsh_no_tree_spawn 1 --mca pml ob1 --mca btl tcp,vader,self --mca osc ^ucx \
        --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24" \
        ip netns exec "${names[0]}" unshare --uts sh -c 'hostname "$0"; exec "$@"' "${names[0]}" "$@"
}
