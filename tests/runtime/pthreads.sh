#!/bin/bash
# Builds the runtime for smp and the conformance cases of several POSIX threads under ThreadSanitizer, with CC (default cc),
# and runs them: no data race is reported, and no wake-up is lost (FATHOM_BELL=patient makes that a hang). With --broken it then
# breaks a rule at a time, and each time a case or the sanitizer must find it. Says what fails; the status is the number of
# failures.
set -u
. "$(dirname "$0")/lib.sh"

# HOW is empty.
broken=(
    'core/gate|the gate has no lock||s/^        lock();$/        ;/'
    'core/gate|who has waited comes in at once||/^void core_gate_close/,/^}/s/    lock();//'
    'core/gate|news wake nobody||s/, 0)) futex_wake_all(&news);/, 0)) (void)0;/'
    'core/gate|who is about to rest rings for itself||s/if (is_resting \&\& !rests)/if (is_resting)/'
    'core/messages|polls do not enter the gate||/^static.*int poll_inside/,/^}/s/    CORE_GATE;//'
    'core/messages|requests do not enter the gate||/^void gas_request_medium/,/^}/s/    CORE_GATE;//'
    'core/messages|requests that are tried do not enter the gate||/^int gas_try_request_medium/,/^}/s/    CORE_GATE;//'
    'core/messages|what is prepared belongs to the process||s/^static __thread struct {/static struct {/'
    'conduit/queue/bell|nobody finds who watches a word||/^void bells_watch/,/^}/s/__atomic_fetch_or.*/(void)me;/'
    'gas/collective_begun_reduce|collectives are begun outside of the gate||/^gas_handle gas_all_reduce_nb/,/^}/s/    GAS_TEAM_CALL(t);//'
    'gas/atomic|an atomic is none||s/while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));/while (*p = new, 0);/'
    'gas/signal|lines are forgotten by a plain increment||s/gas_lines_forget();/gas_lines_epoch++;/'
    'gas/lock|a lock belongs to the process||s/ + (core_pthread() << THREAD_BITS)//'
)

flags=(-std=gnu17 -O1 -g1 -fsanitize=thread -I "$runtime" -I "$runtime/include" -I "$runtime/lang" -I "$runtime/conformance"
       -Wno-unknown-warning-option -Wno-tsan -DFATHOM_CONDUIT_HEADER='"conduit/smp/fathom_conduit.h"')
echo 'int main(void) { return 0; }' >empty.c
"$CC" "${flags[@]}" empty.c -o empty 2>/dev/null && ./empty || { echo "pthreads: $CC has no thread sanitizer: nothing is tested"; exit 0; }

sources=("$runtime"/{core,gas,msg,queues,conduit/check,conduit/smp,conduit/launch,conduit/queue}/*.c "$runtime"/lang/{start,unit,explain_trace}.c
         "$runtime"/conformance/{suite,pthreads}.c "$here/tsan_room.c")
mkdir whole
printf '%s\n' "${sources[@]}" | (cd whole && objects "${flags[@]}") || exit 1
link() { "$CC" -fsanitize=thread -Wl,--wrap=mmap -o "$@"; } # tsan_room.c
link suite whole/*.o || exit 1

run() { # run PROGRAM THREADS LIMIT; more than one thread, or the sanitizer sees the races between threads of the job
    FATHOM_THREADS=$2 timeout -k 1 $(($3 * 12)) "./$1" --limit "$3" pthreads >out 2>&1 </dev/null
}
for bell in '' patient patient,fence patient,switch; do
    for n in 2 3; do
        ran=$((ran + 1))
        FATHOM_BELL=$bell run suite $n 300 && continue
        bad=$((bad + 1))
        echo "FAIL pthreads, $n threads, FATHOM_BELL=$bell"
        head -40 out
    done
done

link_broken() { replaced whole "$1" "${flags[@]}" && link broken "${parts[@]}"; }
finds() { ! FATHOM_BELL=patient run broken 2 15; }
[ "${1:-}" != --broken ] || find_broken 5
echo "pthreads: $((ran - bad)) of $ran good"
exit $bad
