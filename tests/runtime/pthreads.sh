#!/bin/bash
# Builds the runtime for smp and the conformance cases of several POSIX threads under ThreadSanitizer, with CC (default cc),
# and runs them: no data race is reported, and no wake-up is lost (FATHOM_BELL=patient makes that a hang). With --broken it then
# breaks a rule at a time, and each time a case or the sanitizer must find it. Says what fails; the status is the number of
# failures.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runtime=$(cd "$here/../../runtime" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
CC=${CC:-cc}
unset FATHOM_THREADS FATHOM_HEAP FATHOM_BELL FATHOM_SEED XDG_CONFIG_HOME
export FATHOM_TUNING=

# FILE|RULE|sed. In which interleavings some of them show is chance, so each is run up to TRIES times.
TRIES=5
broken=(
    'core/gate|the gate has no lock|s/^        lock();$/        ;/'
    'core/gate|who has waited comes in at once|/^void core_gate_close/,/^}/s/    lock();//'
    'core/gate|news wake nobody|s/, 0)) futex_wake_all(&news);/, 0)) (void)0;/'
    'core/gate|who is about to rest rings for itself|s/if (is_resting \&\& !rests)/if (is_resting)/'
    'core/messages|polls do not enter the gate|/^static.*int poll_inside/,/^}/s/    CORE_GATE;//'
    'core/messages|requests do not enter the gate|/^void gas_request_medium/,/^}/s/    CORE_GATE;//'
    'conduit/queue/bell|nobody finds who watches a word|/^void conduit_watch/,/^}/s/__atomic_fetch_or.*/(void)me;/'
    'gas/collective_begun_reduce|collectives are begun outside of the gate|/^gas_handle gas_all_reduce_nb/,/^}/s/    GAS_TEAM_CALL(t);//'
    'gas/atomic|an atomic is none|s/while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));/while (*p = new, 0);/'
    'gas/signal|lines are forgotten by a plain increment|s/gas_lines_forget();/gas_lines_epoch++;/'
    'gas/lock|a lock belongs to the process|s/ + (core_pthread() << THREAD_BITS)//'
)

flags=(-std=gnu17 -O1 -g1 -fsanitize=thread -I "$runtime" -I "$runtime/include" -I "$runtime/lang" -I "$runtime/conformance"
       -Wno-unknown-warning-option -Wno-tsan -DFATHOM_CONDUIT_HEADER='"conduit/smp/fathom_conduit.h"')
echo 'int main(void) { return 0; }' >empty.c
"$CC" "${flags[@]}" empty.c -o empty 2>/dev/null && ./empty || { echo "pthreads: $CC has no thread sanitizer: nothing is tested"; exit 0; }

sources=("$runtime"/{core,gas,msg,queues,conduit/smp,conduit/launch,conduit/queue}/*.c "$runtime"/lang/{start,unit,explain_trace}.c
         "$runtime"/conformance/{suite,pthreads}.c "$here/tsan_room.c")
mkdir whole
for f in "${sources[@]}"; do echo "$f"; done | (cd whole && xargs -P "$(nproc)" -I @@ sh -c \
    '"$@" -c "$0" -o "$(echo "$0" | tr / _).o"' @@ "$CC" "${flags[@]}") || exit 1
link() { "$CC" -fsanitize=thread -Wl,--wrap=mmap -o "$@"; } # tsan_room.c
link suite whole/*.o || exit 1

bad=0 ran=0
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

[ "${1:-}" = --broken ] || broken=()
for each in "${broken[@]}"; do
    IFS='|' read -r file rule change <<<"$each"
    ran=$((ran + 1))
    sed "$change" "$runtime/$file.c" >broken.c
    cmp -s "$runtime/$file.c" broken.c && { echo "FAIL '$rule' changes nothing: adapt it to $file.c"; bad=$((bad + 1)); continue; }
    object=whole/$(echo "$runtime/$file.c" | tr / _).o
    others=()
    for o in whole/*.o; do [ "$o" = "$object" ] || others+=("$o"); done
    "$CC" "${flags[@]}" -w -c broken.c -o broken.o && link broken broken.o "${others[@]}" || exit 1
    found=0
    for ((i = 0; i < TRIES && !found; i++)); do
        FATHOM_BELL=patient run broken 2 15 || found=1
    done
    [ $found = 1 ] || { echo "FAIL broken: $rule: nothing finds it"; bad=$((bad + 1)); }
done
echo "pthreads: $((ran - bad)) of $ran good"
exit $bad
