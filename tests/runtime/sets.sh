#!/bin/bash
# Builds the runtime for conduit libfabric with comm.c, and runs it where threads are sets that are far from each other, with CC (default cc):
# what is gathered for several threads of a set goes to one of them (runtime/gas/outbox.c). With --broken it then breaks a rule at a
# time, and each time comm.c must find it. Needs libfabric. Says what fails; the status is the number of failures.
set -u
. "$(dirname "$0")/lib.sh"

# HOW is FATHOM_COMM, the threads, how many of them are near each other, and comm.c's arguments.
broken=(
    'gas/outbox|what is sent overtakes what was sent before|bundles,outbox=128 6 2 60 1|s/^static inline int receiver_of.*/static inline int receiver_of(const struct outbox *box) { return box->thread; }/'
    'gas/outbox|a bundle overtakes what was sent before|bundles,outbox=128 6 2 60 1|s/^    if (box->is_sent) return box->via == to;$//'
    'gas/outbox|others compute updates|bundles,updates 6 2 100 sums|s/ \&\& (!box->has_updates || box->thread == to)//'
    'gas/outbox|others compute updates behind writes that they make|bundles,updates 6 2 100 sums|s/if (box \&\& box->is_sent \&\& box->via != box->thread/if (0/'
    'gas/outbox|a bundle has no end|bundles,outbox=128 7 6 60 1|s/if (words + 1 + box->used > bundle_room)/if (0)/'
    'gas/outbox|the last bundle is not sent|bundles,outbox=4096 6 2 60 1|s/^    if (may >= 2) request.*//'
    'gas/outbox|what was in a bundle is in the next one, too|bundles,outbox=128 7 6 60 1|s/^            words = 0;$/            words = 1;/'
    'gas/outbox|nobody asks for what was sent|bundles,outbox=128 6 2 60 1|s/^        if (!box->used \&\& !confirm) continue;/        if (!box->used) continue;/'
    'gas/outbox|the first of several writes goes by itself, and stays|bundles,outbox=4096 6 2 60 1|s/^    box->used = 0;$/    (void)0;/'
    'gas/records|one thread gets what is for another|bundles,outbox=4096 6 2 60 1|s/carry_out_all((int)(.p >> 32)/carry_out_all(fathom_mythread/'
    'gas/records|only the first section is carried out|bundles,outbox=4096 6 2 60 1|s/; p < end; p += 1/; p == payload; p += 1/'
    'conduit/cluster/messages|a set ends too early|bundles,outbox=4096 6 2 60 1|s/^    \*first = cluster.leader.low.;/    *first = cluster.leader[low] - 1;/'
)

flags=(-std=gnu17 -O2 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang"
       -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"')
mkdir objects
ls "$runtime"/{core,gas,msg,queues,conduit/check,conduit/libfabric,conduit/cluster,conduit/launch,conduit/queue}/*.c \
    "$runtime"/lang/{start,unit,explain_trace,barrier,alloc,lock,exit}.c | (cd objects && objects "${flags[@]}") || exit 1
link() { "$CC" "${flags[@]}" -DBOARD_BYTES='"81920"' "$here/comm.c" -o "$1" -Wl,--wrap=main "${@:2}" -lfabric; }
link comm objects/*.o || exit 1

run() { # run PROGRAM COMM THREADS NEAR ARGUMENTS…
    FATHOM_COMM=$2 FATHOM_THREADS=$3 FATHOM_NODE_MAX=$4 timeout -k 1 300 "./$1" "${@:5}" >out 2>err </dev/null
}
for comm in on outbox bundles bundles,outbox=128 bundles,updates,outbox=4096 bundles,updates,lines=64,outbox=128; do
    for sets in "3 2" "7 3"; do
        for what in 1 orders flags sums; do
            [[ $what != sums || $comm = on || $comm = *updates* ]] || continue
            ran=$((ran + 1))
            # shellcheck disable=SC2086
            run comm $comm $sets 20 $what && [ "$(cat out)" = good ] && continue
            bad=$((bad + 1))
            echo "FAIL FATHOM_COMM=$comm, threads and how many are near: $sets, $what"
            head -5 out err
        done
    done
done

link_broken() { # link_broken FILE HOW…
    replaced objects "$1" "${flags[@]}" && link broken "${parts[@]}"
}
finds() { # a broken rule may crash who reads a message
    ! run broken "$@"
}
[ "${1:-}" != --broken ] || find_broken 5
echo "sets: $((ran - bad)) of $ran good"
exit $bad
