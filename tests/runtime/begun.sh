#!/bin/bash
# Builds the runtime for smp, near and far (its reference build), with the conformance cases of collectives that are begun, with
# CC (default cc), and runs them. With --broken it then breaks a rule at a time, and each time a case must find it. Says what
# fails; the status is the number of failures.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runtime=$(cd "$here/../../runtime" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
CC=${CC:-cc}
unset FATHOM_THREADS FATHOM_HEAP FATHOM_BELL FATHOM_SEED XDG_CONFIG_HOME
export FATHOM_TUNING=

# BUILD|FILE|RULE|CASE|sed. The case is one of collectives_begun.c (or a part of their names); one that begins with = is about
# how a job ends, and must not end with its message. Some show in some interleavings only: each is run up to TRIES times.
TRIES=4
broken=(
    'near|core/messages|polls take nothing further|go_on_in_calls|s/^    if (.*core_collectives != NULL.*$//'
    'near|gas/schedule|nobody waits for those that read long data|every_kind|s/^    s->is_complete = .*/    s->is_complete = s->current == s->count;/'
    'near|gas/schedule|what others read is written over|yet_to_read|s/^    if (!may_write(s, step)) return false;//'
    'near|gas/schedule|nobody is told that data has been read|every_kind|/^    if (p->place)$/,/^$/s/core_request(l->thread, GAS_SYNC_READ/if (0) core_request(l->thread, GAS_SYNC_READ/'
    'near|gas/schedule|packets are taken in the order of coming|many_at|s/^    while (p && p->number != s->number) p = p->next;//'
    'near|gas/schedule|a member runs ahead without limit|up_to_a_limit|s/^    return s->number < l->heard + GAS_AHEAD;/    return true;/'
    'near|gas/schedule|nobody asks how far the others are|up_to_a_limit|/^static bool may_send/,/^}/s/core_request(/if (0) core_request(/'
    'near|gas/schedule|who was asked too early says nothing later|up_to_a_limit|/^gas_handle gas_schedule_begin/,/^}/s/core_request(/if (0) core_request(/'
    'near|gas/collective_begun|the other value comes from the wrong side|keep_the_order|s/\.his_is_left = his_is_left/.his_is_left = !his_is_left/'
    'near|gas/collective_begun|a barrier of one round|barriers_complete|s/step < t->size; step \*= 2) {/step < 2 \&\& step < t->size; step *= 2) {/'
    'near|gas/collective_begun|an exchange in place has no copy|every_kind|s/if (dst == src || (gas_schedule_is_long/if ((gas_schedule_is_long/'
    'near|gas/collective_begun|the only meeting writes where it is read|reductions_of_every_size|s/if (own == dst \&\& last == 1)/if (0)/'
    'far|gas/schedule|the pieces of a step become packets of their own|every_kind|s/if (q->got < q->bytes \&\& !q->place) p = q;/(void)0;/'
    'far|gas/schedule|data is used while it is being got|every_kind|s/return gas_transfer_done(&s->transfer) ? s->got : NULL;/return s->got;/'
    'near|gas/team|a team is freed under its collectives|=begun_collective_on_a_team_that_is_freed|s/^    if (t->begun_now)$/    if (0)/'
    'near|gas/collective_begun|handlers may begin collectives|=begun_collective_in_a_handler|s/^    if (core_in_handler())$/    if (0)/'
    'near|gas/schedule|kinds are not compared|=begun_collectives_that_differ|s/if (p && p->kind != s->kind)/if (0)/'
    'near|gas/schedule|sizes are not compared|=begun_collectives_of_different_sizes|s/^    if (p->bytes != step->n)/    if (0)/'
    'near|gas/handle|nobody looks whether the others are there|=begun_collective_that_a_thread_never_begins|s/gas_schedule_look_up();/(void)0;/'
    'near|gas/handle|a handle may be waited for twice|=begun_collective_waited_for_twice|s/return t->is_live .*/return t;/'
)

header() { [ "$1" = near ] && echo conduit/smp/fathom_conduit.h || echo conduit/distributed.h; }
flags=(-std=gnu17 -O1 -g1 -I "$runtime" -I "$runtime/include" -I "$runtime/lang" -I "$runtime/conformance")
sources=("$runtime"/{core,gas,msg,queues,conduit/smp,conduit/launch,conduit/queue}/*.c "$runtime"/lang/{start,unit,explain_trace}.c
         "$runtime"/conformance/{suite,collectives_begun}.c)
options() { # options BUILD: in `all`
    all=("${flags[@]}" "-DFATHOM_CONDUIT_HEADER=\"$(header "$1")\"")
    [ "$1" = near ] || all+=(-DFATHOM_REFERENCE)
}
for build in near far; do
    mkdir $build
    options $build
    for f in "${sources[@]}"; do echo "$f"; done | (cd $build && xargs -P "$(nproc)" -I @@ sh -c \
        '"$@" -c "$0" -o "$(echo "$0" | tr / _).o"' @@ "$CC" "${all[@]}") || exit 1
    "$CC" -o suite.$build $build/*.o || exit 1
done

bad=0 ran=0
run() { # run PROGRAM THREADS LIMIT CASE
    FATHOM_THREADS=$2 timeout -k 1 $(($3 * 10)) "./$1" --limit "$3" "$4" >out 2>&1 </dev/null
}
# Does an end have its message?
ends() { # ends PROGRAM =CASE
    local message
    message=$("./$1" --list-ends | awk -F'\t' -v name="${2#=}" '$1 == name { print $4 }')
    run "$1" 2 15 "$2"
    [[ $(grep -a '^fathom: \|^suite: ' out | tr '\n' '|') =~ ^($message)$ ]]
}
for build in near far; do
    for n in 1 2 3 4 5 8; do
        ran=$((ran + 1))
        run suite.$build $n 300 begun && continue
        bad=$((bad + 1))
        echo "FAIL $build, $n threads"
        head -20 out
    done
done

[ "${1:-}" = --broken ] || broken=()
for each in "${broken[@]}"; do
    IFS='|' read -r build file rule case change <<<"$each"
    ran=$((ran + 1))
    sed "$change" "$runtime/$file.c" >broken.c
    cmp -s "$runtime/$file.c" broken.c && { echo "FAIL '$rule' changes nothing: adapt it to $file.c"; bad=$((bad + 1)); continue; }
    object=$build/$(echo "$runtime/$file.c" | tr / _).o
    others=()
    for o in "$build"/*.o; do [ "$o" = "$object" ] || others+=("$o"); done
    options "$build"
    "$CC" "${all[@]}" -w -c broken.c -o broken.o && "$CC" -o broken broken.o "${others[@]}" || exit 1
    found=0
    for ((i = 0; i < TRIES && !found; i++)); do
        case $case in
        =*) ends broken "$case" || found=1 ;;
        *) run broken 2 10 "$case" && run broken 3 10 "$case" && run broken 5 10 "$case" || found=1 ;;
        esac
    done
    [ $found = 1 ] || { echo "FAIL broken: $rule: nothing finds it"; bad=$((bad + 1)); }
done
echo "begun: $((ran - bad)) of $ran good"
exit $bad
