#!/bin/bash
# The network of known delay and rate (wired.sh): its times are the closed forms, and no packet comes sooner than it may. Only
# lower bounds are asked of the clock, so that a busy computer changes nothing. Without the right to make namespaces, only
# the arithmetic is tested, unless CI=true or FATHOM_TEST_MPI=required; nor without TUN devices.
set -u
# shellcheck source=tests/mpi/wired.sh
. "$(dirname "${BASH_SOURCE[0]}")/wired.sh"
wire_in=
test=$work/wire_test
fail() {
    echo "FAIL wire.sh: $1"
    wired_end
    exit 1
}
${CC:-cc} -std=gnu17 -O1 -Wall -Wextra -Werror -o "$test" "$root/tests/mpi/wire_test.c" || fail "wire_test.c does not compile"
"$test" || fail "the times of wire.h"
if [ ! -c /dev/net/tun ]; then
    echo "skipped: wire.sh: this kernel has no TUN devices"
    exit 0
fi
if ! { ip netns add fathom-try-$$ && ip netns del fathom-try-$$; } 2>/dev/null; then
    [ "${CI:-}" != true ] && [ "${FATHOM_TEST_MPI:-}" != required ] || fail "no right to make network namespaces"
    echo "skipped: wire.sh: no right to make network namespaces (it needs root)"
    exit 0
fi

delay_us=5000 mbit_s=50 bytes=500000
export WIRE_TRACE=$work/trace
wired 3 $delay_us $mbit_s
unset WIRE_TRACE
serve() { # on computer I + 1
    rm -f "$work/serves"
    ip netns exec "${names[$1]}" timeout 600 "$test" serve >"$work/serves" &
    server=$!
    until grep -qs serves "$work/serves"; do
        kill -0 $server 2>/dev/null || fail "nobody serves"
        sleep 0.05
    done
}
for from in 0 2; do # to the second computer
    serve 1
    times=$(ip netns exec "${names[$from]}" timeout 600 "$test" send $net.2 $bytes) || fail "computer $((from + 1)) does not reach computer 2"
    read -r connected sent <<<"$times"
    [ "$connected" -ge $((2 * delay_us * 1000)) ] || fail "a connection took $connected ns, with $delay_us us each way"
    least=$((2 * delay_us * 1000 + bytes * 8 * 1000 / mbit_s))
    [ "$sent" -ge $least ] || fail "$bytes bytes and an answer took $sent ns, and need $least"
    wait $server
done
for wrong in "0 100 a b" "100 x a b" "100 100 a" "100 100 no-such-a no-such-b"; do
    # shellcheck disable=SC2086
    "$work/wire" $wrong </dev/null 2>"$work/said" && fail "wire $wrong: no error"
    [ "$(wc -l <"$work/said")" = 1 ] || fail "wire $wrong: not one error, but $(cat "$work/said")"
done
# The first computer has queues to both others, and data and acknowledgements come to it from both.
pids=()
for to in 0 1 2; do serve $to; pids+=($server); done
for way in "0 2" "0 3" "1 1"; do
    read -r from to <<<"$way"
    ip netns exec "${names[$from]}" timeout 600 "$test" send $net.$to $bytes >/dev/null &
    pids+=($!)
done
for p in "${pids[@]}"; do wait "$p" || fail "three transfers at one time"; done
exec {wire_in}>&- # the switch ends, and writes its trace
wait "$wire_pid"
wire_in= wire_pid=
overtaken=$(sort -s -g -k1,1 "$work/trace" | "$test" trace $delay_us $mbit_s) || fail "the times in the trace: ${overtaken%%$'\n'*}"
[ "$overtaken" -gt 0 ] || fail "nothing arrived before what was sent earlier"
echo "good: a network of known delay and rate"
