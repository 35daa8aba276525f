#!/bin/bash
# Builds the message queues (runtime/msg) and their tests, with CC (default cc), and runs them: lanes with threads, also under
# ThreadSanitizer where the compiler brings it; the calls of msg.h with threads and processes, also with processes that are
# stopped, killed, or malicious; lanes that move between their rings; lanes and rows that end while threads use them; rows that
# are given back; peers that take long to answer, or whose descriptors take long to be closed. Says what fails; the status is the
# number of failures.
#
#     msg.sh [--sanitize]     under the address and undefined-behaviour sanitizers
#     msg.sh --broken         breaks a rule at a time instead, and each time the test must find it
#
# MSG_MESSAGES: how many messages the larger tests send, 1000000 unless set; the number of a full proof is 100000000.
set -u
. "$(dirname "$0")/lib.sh"
messages=${MSG_MESSAGES:-1000000}
# HOW is the test and its arguments. By these rules queues live on when others are killed, and what is killed does no harm.
broken=(
    'msg/poll|polls look at no lane itself|many killed|s/^    if (is_time_to_guard(.*guard(s, m)) return true;$//'
    'msg/poll|waits look at no lane itself|many killed|s/^        if (guard_all(s, m)) return true;$//'
    'msg/basic|records are published when there is room for them|many killed|s/^    r->run = count;$/    __atomic_store_n(\&r->out->producer, r->written + record, __ATOMIC_RELEASE), r->run = count;/'
    'msg/express|copies are made when they have been sent|many killed|/^static int send_copy/,/^}/{s/^    memcpy(.*//;s/^    use_cell(r, i, place);/    memcpy(r->cells + (size_t)i * MSG_CELL_BYTES, data, bytes);\n&/}'
    'msg/lane.h|a sender goes on where a killed one has not|move killed|s/^        \*next = lane_next(spot + 2 \* (uint64_t)(ahead - 1) \* ring->slots, old.stamp);/        *next = lane_next(spot + 2 * (uint64_t)(ahead - 1) * ring->slots, 0);/'
    'msg/lane.h|a receiver does not follow a move|move killed|s/^    return ((head & ~(uint64_t)MSG_MOST_WORDS) + PLACE) ^ .*/    return (head \& ~(uint64_t)MSG_MOST_WORDS) + PLACE;/'
    # Two steps are seen by others between them alone: there the broken build waits.
    'msg/lane.h|a slot is written in two steps|lane 2 2 200000|s/^    if (__builtin_expect(!msg_swap_slot(slot, old, new), 0)) return LANE_LOST;/    struct msg_slot half = {new.stamp, old.word};\n    if (!msg_swap_slot(slot, old, half)) return LANE_LOST;\n    sched_yield();\n    __atomic_store_n(\&slot->word, word, __ATOMIC_RELAXED);/;s/^#define MSG_LANE_H/&\n#include <sched.h>/'
    'msg/lane.h|a slot is filled by stores|lane 4 1 200000|s/^    if (__builtin_expect(!msg_swap_slot(slot, old, new), 0)) return LANE_LOST;/    __atomic_store_n(\&slot->word, word, __ATOMIC_RELAXED);\n    sched_yield();\n    __atomic_store_n(\&slot->stamp, new.stamp, __ATOMIC_RELEASE);/;s/^#define MSG_LANE_H/&\n#include <sched.h>/'
    'msg/lane.h|one thread publishes before it has written|lane 1 1 200000|/bool lane_put_single_at/,/^}/{s/^    __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);//;s/^    s->tail = lane_next(t, last);/    sched_yield();\n    __atomic_store_n(\&slot->word, word, __ATOMIC_RELAXED);\n&/};s/^#define MSG_LANE_H/&\n#include <sched.h>/'
    'msg/lane.h|a slot is used while its data are in use|calls|s/^    if (__builtin_expect(!is_free \&\& !lane_is_released(ring, place, old.stamp), 0)) return LANE_KEPT;//'
    'msg/lane.h|a slot of one thread is used while its data are in use|calls|s/^    if (__builtin_expect(!is_free \&\& t - s->with_data < s->recent, 0) \&\&/    if (0 \&\&/'
    'msg/lane.h|a look ahead does not see that data are in use|move calls|s/^    return lane_is_released(ring, place, stamp) ? LANE_GOES : LANE_HAS_DATA;/    return LANE_GOES;/'
    'msg/lane.h|what is kept of a slot is believed again|move calls|s/lane_put_at(s, ring, t, false,/lane_put_at(s, ring, t, true,/'
    'msg/lane.h|a ring that was not used for long is ahead|calls|s/ahead <= 1, 1)) return ahead;/ahead <= (int64_t)(MSG_ROUNDS \/ 4), 1)) return ahead;/'
    'msg/lane.h|a place behind as many as the large ring has is out of reach|move calls|s/ring->slots + MSG_SMALL ? 0/ring->slots ? 0/'
    'msg/lane.h|data are out of use when the slot before theirs may be filled again|lane 4 1 200000|s/- MSG_SMALL) << 1) > 0;/- MSG_SMALL) << 1) >= 0;/'
    'msg/express|the cell of a copy is free when that is taken|calls|s/: lane_is_done(&r->lane, place)/: lane_is_taken(\&r->lane, place)/'
    'msg/express|the cell of a batch is free when a word is taken|calls|s/(place & IS_BATCH ? lane_is_taken(&r->lane, place)/(place \& IS_BATCH ? lane_head_at(place \& ~IS_BATCH) < __atomic_load_n(\&r->lane.in->head, __ATOMIC_ACQUIRE)/'
    'msg/receive|what a sender says of its data is believed|many attack|/^static bool refer/,/^}/s/|| at > all || bytes > all - at/|| 0/'
    'msg/sleep|who waits for room does not ask whether anybody is there|mistakes waits|s/^        if (msg_row_is_deserted(r)) {/        if (0) {/'
    'msg/bulk|jobs of a full row hold up those of others|mistakes waits|s/(has_of_row(held, NULL, job->row) ||/(held ||/;s/!has_of_row(\*held, job, job->row)/job == *held/'
    'msg/receive|a thread waits for the record that it has not released|mistakes waits|s/^    if (locks \&\& msg_lock_is_mine(&q->lock))/    if (0)/'
    'msg/retire|what threads may use is freed|retire stopped|/^static bool all_have_left/,/^}/s/return false;/continue;/'
    'msg/retire|data that a program has not released is freed|retire named|/^static bool has_released_all/,/^}/s/^    return .*/    return true;/'
    'msg/retire|threads that a fork leaves behind stay in their calls|retire stopped|s/^        c->word \&= ~1ull;$//'
)
flags=(-std=gnu17 -O2 -g -Wall -Wextra -Werror -I "$root/runtime" -I "$root/runtime/include" -pthread)
tsan=(-fsanitize=thread -mcx16)
sanitizers=()
if [ "${1:-}" = --sanitize ]; then
    sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
    flags+=("${sanitizers[@]}")
    tsan=()
    messages=$((messages / 10))
fi
if [ "${1:-}" = --broken ]; then
    link_broken() { # link_broken FILE TEST ARGUMENTS…
        rm -rf broken.d && mkdir broken.d && cp -r "$runtime/msg" broken.d/msg || return
        case $1 in *.h) cp broken.c "broken.d/$1" ;; *) cp broken.c "broken.d/$1.c" ;; esac
        mkdir broken.d/o
        ls "$PWD"/broken.d/msg/*.c "$here/msg_$2.c" | (cd broken.d/o && objects -I "$work/broken.d" "${flags[@]}" -w -O1) &&
            "$CC" -pthread -o broken broken.d/o/*.o
    }
    finds() { ! timeout -k 1 60 ./broken "${@:2}" >out 2>&1 </dev/null; }
    find_broken 4
    echo "message queues: $ran broken rules, $bad not found"
    exit $bad
fi
case $("$CC" -dumpmachine) in x86_64*) ;; *) tsan=() ;; esac
"$CC" "${flags[@]}" "$here/msg_lane.c" -o lane || exit 1
tests=(calls sockets poll many move choice far retire disconnect dial foreign mistakes)
mkdir lib && (cd lib && "$CC" "${flags[@]}" -c "$root"/runtime/msg/*.c) || exit 1
for t in "${tests[@]}"; do "$CC" "${flags[@]}" "$here/msg_$t.c" lib/*.o -o "$t" || exit 1; done
if [ ${#tsan[@]} -gt 0 ]; then
    "$CC" "${flags[@]}" "${tsan[@]}" "$here/msg_lane.c" -o lane-tsan 2>/dev/null # not every compiler brings it
    for t in calls poll move; do "$CC" "${flags[@]}" "${tsan[@]}" "$here/msg_$t.c" "$root"/runtime/msg/*.c -o $t-tsan 2>/dev/null; done
fi
if command -v "${CXX:-c++}" >/dev/null; then # the header is C++, too
    printf '#include <msg_broker.h>\nint main() { msg_message m = {}; msg_broker_event e = {}; return m.kind + e.what; }\n' >header.cc
    "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror -pedantic -I "$root/runtime/include" header.cc -o header || exit 1
fi
printf '#include <msg_broker.h>\nint main(void) { return 0; }\n' >header.c
"$CC" -std=c11 -Wall -Wextra -Werror -pedantic -I "$root/runtime/include" header.c -o header || exit 1

# The page's programs, as they stand there. (Those of a job's threads: crates/fathom/tests/installed.rs.)
programs() { # programs LANGUAGE SUFFIX: page1.SUFFIX…
    awk -v begins="\`\`\`$1" -v suffix="$2" '
        $0 == begins {on = 1; text = ""; next}
        /^```$/ && on && text ~ /int main/ && text !~ /fathom.h/ {file = "page" ++n "." suffix; print text >file; close(file)}
        /^```$/ {on = 0}
        on {text = text $0 "\n"}' "$root/docs/queues.md"
}
programs c c && programs cpp cc
# What is no program of its own follows each other, as it does there.
awk 'BEGIN {print "#include <msg.h>\n#include <stdio.h>\nint main(void) {"}
    /^```c$/ {on = 1; text = ""; next}
    /^```$/ {if (on && text !~ /int main/) print text; on = 0}
    on {text = text $0 "\n"}
    END {print "return m.kind != MSG_EMPTY;\n}"}' "$root/docs/queues.md" >parts.c
of_page=(-Wall -Wextra -Werror "${sanitizers[@]}" -I "$root/runtime/include" -pthread)
for p in page1 page2 parts; do "$CC" -std=c11 "${of_page[@]}" $p.c lib/*.o -o $p || exit 1; done
processor() { "$1" -dumpmachine 2>/dev/null | cut -d- -f1; }
if [ "$(processor "${CXX:-c++}")" = "$(processor "$CC")" ]; then
    "${CXX:-c++}" -std=c++17 "${of_page[@]}" page1.cc lib/*.o -o page || exit 1
    "${CXX:-c++}" -std=c++17 "${of_page[@]}" -x c++ parts.c -x none lib/*.o -o parts-cpp || exit 1
fi

emulated lane parts "${tests[@]}"
try() { # a test that hangs is one that fails; the time is for what hangs only
    ran=$((ran + 1))
    local status
    timeout -k 1 900 "$@" >out 2>&1 </dev/null && return
    status=$?
    bad=$((bad + 1))
    echo "FAIL $* (status $status)"
    sed 's/^/    /' out | head -20
}
for n in '1 1' '4 1' '1 4' '3 3' '16 2'; do try ./lane $n "$messages"; done
for t in calls sockets poll "many $messages" parts; do try ./$t; done
for t in calls "threads $messages" "many $((messages / 4))"; do try ./move $t; done
try ./choice
for t in sockets limits waits nulls; do try ./mistakes $t; done
try ./dial
try ./far calls
for t in stopped named 'many 2000'; do try ./retire $t; done
for t in calls places "threads $((messages / 500))"; do try ./disconnect $t; done
# These end without closing what they have.
ASAN_OPTIONS=detect_leaks=0 try ./far forged
ASAN_OPTIONS=detect_leaks=0 try ./foreign
for t in killed attack; do
    ASAN_OPTIONS=detect_leaks=0 try ./many $t
    ASAN_OPTIONS=detect_leaks=0 try ./move $t
done
if [ -x lane-tsan ]; then for n in '1 1' '3 2'; do try ./lane-tsan $n $((messages / 10)); done; fi
for t in calls poll; do [ ! -x $t-tsan ] || try ./$t-tsan; done
if [ -x move-tsan ]; then try ./move-tsan threads $((messages / 10)); fi
echo "message queues: $ran tests, $bad failed"
exit $bad
