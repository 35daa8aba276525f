#!/bin/bash
# Builds the runtime for smp, near and far (its reference build), with the conformance cases of collectives that are begun, of those that
# meet collectives that block, and of locks whose holders are in them, with CC (default cc), and runs them. With --broken it then breaks
# a rule at a time, and each time a case must find it. Says what fails; the status is the number of failures.
set -u
. "$(dirname "$0")/lib.sh"

# HOW is the build and the case, one of collectives_begun*.c, calls.c or locks*.c (or a part of their names); one that begins with = is about how a job
# ends, and must not end with its message.
broken=(
    'core/messages|polls take nothing further|near go_on_in_calls|s/^    if (.*core_collectives != NULL.*$//'
    'gas/schedule|nobody waits for those that read long data|near every_kind|s/^    s->is_complete = .*/    s->is_complete = s->current == s->count;/'
    'gas/schedule|what others read is written over|near yet_to_read|s/^    if (!may_write(s, step)) return false;//'
    'gas/schedule|nobody is told that data has been read|near every_kind|s/if (p->place) core_request(l->thread, GAS_SYNC_READ/if (0) core_request(l->thread, GAS_SYNC_READ/'
    'gas/schedule|packets are taken in the order of coming|near many_at|s/^    while (p && p->number != s->number) p = p->next;//'
    'gas/schedule|a member runs ahead without limit|near up_to_a_limit|s/^    return s->number < l->heard + GAS_AHEAD;/    return true;/'
    'gas/schedule|nobody asks how far the others are|near up_to_a_limit|/^static bool may_send/,/^}/s/core_request(/if (0) core_request(/'
    'gas/schedule|who was asked too early says nothing later|near up_to_a_limit|/^gas_handle gas_schedule_begin/,/^}/s/core_request(/if (0) core_request(/'
    'gas/collective_begun_reduce|the other value comes from the wrong side|near keep_the_order|s/\.his_is_left = his_is_left/.his_is_left = !his_is_left/'
    'gas/collective_begun|a barrier of one round|near barriers_complete|s/step < t->size; step \*= 2) {/step < 2 \&\& step < t->size; step *= 2) {/'
    'gas/collective_begun|an exchange in place has no copy|near every_kind|s/if (dst == src || (gas_schedule_is_long/if ((gas_schedule_is_long/'
    'gas/collective_begun_reduce|the only meeting writes where it is read|near reductions_of_every_size|s/if (own == dst \&\& last == 1)/if (0)/'
    'gas/schedule|the pieces of a step become packets of their own|far every_kind|s/if (q->got < q->bytes \&\& !q->place) p = q;/(void)0;/'
    'gas/schedule|data is used while it is being got|far every_kind|s/return gas_transfer_done(&s->transfer) ? s->got : NULL;/return s->got;/'
    'gas/team|a team is freed under its collectives|near =begun_collective_on_a_team_that_is_freed|s/^    if (t->begun_now)$/    if (0)/'
    'gas/collective_begun|handlers may begin collectives|near =begun_collective_in_a_handler|s/^    if (core_in_handler()) /    if (0) /'
    'gas/schedule|kinds are not compared|near =begun_collectives_that_differ|s/if (p && p->kind != s->kind)/if (0)/'
    'gas/schedule|sizes are not compared|near =begun_collectives_of_different_sizes|s/^    if (p->bytes != step->n)/    if (0)/'
    'gas/handle|nobody looks whether the others are there|near =begun_collective_that_a_thread_never_begins|s/if (core_wait_answer(round)) gas_schedule_look_up(.*/core_wait_answer(round);/'
    'gas/handle|a handle may be waited for twice|near =begun_collective_waited_for_twice|s/return t->is_live .*/return t;/'
    'gas/schedule|the second taker of the same data finds none|near scans_and_shares_of_every_size|s/^    if (step->again) return true;//'
    'gas/schedule|shares are combined from the wrong side|near scans_and_shares_of_every_size|s/step->to, step->to, step->from, step->n/step->to, step->from, step->to, step->n/'
    'gas/schedule|data that two steps take is got into the place of the first|far scans_and_shares_of_every_size|s/step->kind == GAS_STEP_TAKE ? step->to : gas_room(p->bytes)/step->to/'
    'gas/collective_begun_reduce|scans combine from the wrong side|near scans_and_shares_of_every_size|/^static gas_handle scan_by/,/^}/s/\.his_is_left = true/.his_is_left = false/'
    'gas/collective_begun_reduce|what goes on in an exclusive scan is not combined|near scans_and_shares_of_every_size|s/if (!exclusive || me + 2 \* step < t->size)/if (!exclusive)/'
    'gas/collective_begun_reduce|member 0 has no result of a scan|near scans_and_shares_of_every_size|s/^    if (me == 0 \&\& !exclusive) begun_copied.*$//'
    'gas/collective_begun_reduce|shares are combined in the order of ranks|near scans_and_shares_of_every_size|s/for (int w = 1; n \&\& w < width; w \*= 2)/for (int w = width \/ 2; n \&\& w; w \/= 2)/'
    'gas/collective_begun_pieces|long pieces are copied to one place|near pieces_of_every_kind|s/^            room += bytes\[to\];//'
    'gas/collective_begun_pieces|empty pieces are not sent|near pieces_where_none|s/^        STEP(GAS_STEP_SEND, .rank = to/        if (bytes[to]) STEP(GAS_STEP_SEND, .rank = to/'
    'gas/schedule|what is begun counts among the calls that block|near calls_and_begun_ones_in_any_order|s/^    s->number = crew->begun++;/&\n    gas_call(t, s->kind, s->root, 0);/'
    'gas/schedule|lists that block count among those that are begun|near reduce_scatter_with_pieces_that_blocks_between_begun_ones|s/^    s->id |= BLOCKS;//;s/^    s->blocks = true;//'
    'gas/schedule|who waits for a handle does not say so|near =calls_that_block_and_a_begun_one|s/gas_calls_look_up_begun(.*//'
    'gas/calls|what another has begun already is needed of it|near calls_that_block_while_others_wait_for_a_late_member|s/ || his->calls.begun >= number || !is_held/ || !is_held/'
    'gas/calls|what has been begun already is needed|near calls_that_block_while_others_wait_for_a_late_member|s/return __atomic_load_n(&t->calls->begun, __ATOMIC_RELAXED) < n->number;/return true;/'
    'gas/schedule|all are needed for a part|near calls_that_block_while_others_wait_for_a_late_root|/^static struct gas_need need_of/,/^}/{s/^    if (!is_data_missing(s)) {/    if (0) {/;s/gas_need_data(.*/n.high = s->team->size - 1;/}'
    'gas/handle|one of two handles is waited for as if it were alone|near calls_that_block_while_others_wait_for_one_of_two|s/under_way == 1 ? last : GAS_DONE/h[1]/'
    'gas/handle|the last one of several handles says nothing|near =calls_that_block_and_a_begun_one_among_some|s/under_way == 1 ? last : GAS_DONE/GAS_DONE/'
    'gas/schedule|lists that block say nothing|near =calls_dealt_out_in_pieces_that_block_and_a_begun_one|s/gas_calls_look_up_made(.*/;/'
    'gas/stream|who waits for credit says nothing|far =calls_of_two_teams_one_of_them_far_ahead|s/^            gas_calls_look_up_made(.*/            ;/'
    'gas/stream|credit is waited for as if it came in the last call|far calls_for_whose_data_there_is_credit|s/return s->sent_in\[.*/return s->sent_in[(s->sent - 1) % WINDOW];/'
    'gas/barrier|who tests a barrier says nothing|near =calls_and_a_barrier_that_is_tested|s/core_barrier_tried();//'
    'gas/calls|those that are begun are not compared|near =begun_collectives_with_different_roots|s/^    compare_begun_ones(.*//'
    'gas/calls|only the kinds of those that are begun are compared|near =begun_collectives_with_different_roots|s/if (k == current ? is_same(&a, &b) : kind_of/if (kind_of/'
    'gas/schedule|who may run ahead asks for every eighth|near by_the_whole_limit|s/l->asked = l->heard + 1;/l->asked = s->number + 1 - GAS_AHEAD \/ 2;/'
    'gas/calls|who has gone past a call is waited for|near =calls_far_behind_those_without_data|s/return is_past || /return /'
    'gas/calls|who has gone past a call is waited for, far|far =calls_far_behind_those_without_data|s/return is_past || /return /'
    'gas/calls|nobody looks for circles|near =calls_in_a_circle|s/^    if (conduit_has_pthreads) return;$/    return;/'
    'gas/calls|nobody looks for circles of handles|far =calls_with_handles_in_a_circle|/^void gas_calls_look_up_begun/,/^}/s/look_for_circle(.*//'
    'gas/calls|only those are asked with which a thread deals|near =calls_in_a_circle_of_larger_teams|s/tries % 2 ? gas_team_numbered(n->team) : NULL/NULL/'
    'gas/stream|who sends and receives looks for two circles in turn|far =calls_with_much_data_in_a_circle_of_larger_teams|s/^        } else {$/        }\n        if (n) {/'
    'gas/calls|what one of all is waited for says nothing of the others|far =calls_in_a_circle_behind_others|s/^    if (!t->is_near) gas_need_data(.*//;s/^    if (path.late >= 0 .*//'
    'gas/calls|what was needed once is needed still|near calls_in_a_chain_behind|s/^    answer\[1\] = is_needed(&his);/    answer[1] = 1;/'
    'gas/calls|a path ends at anybody|far calls_in_a_chain_behind|s/if (path.is_needed && is_held(&path.last))/if (path.is_needed \&\& path.last.need.number)/'
    'gas/lock|nobody asks what the holder does|near =lock_whose_holder_is_at_a_barrier|s/gas_calls_in_vain(.*/NULL;/'
    'gas/lock_barging|nobody asks what the holder does|near =barging_lock_whose_holder_is_in_a_collective|s/gas_calls_in_vain(.*) : NULL/NULL : NULL/'
    'gas/lock_queue|nobody asks what the holder does|far =lock_whose_holder_waits_for_a_handle|s/gas_calls_in_vain(thread)/NULL/'
    'gas/calls|a holder that tries a barrier waits there|near locks_whose_holders_wait|s/return his->blocks ? /return 1 ? /'
    'gas/calls|a holder that tries a barrier waits there, far|far locks_whose_holders_wait|s/return his->blocks ? /return 1 ? /'
    'gas/calls|a holder at a barrier that has been begun is waited for in vain|near locks_whose_holders_wait|s/^    return !conduit_has_pthreads \&\& his->barrier \&\& .*/    return !conduit_has_pthreads \&\& his->barrier;/'
    'gas/collective_begun_pieces|the sizes of the own piece are not compared|near =begun_pieces_with_two_sizes_for_ones_own|s/^    if (n != expected)$/    if (0)/'
)

header() { [ "$1" = near ] && echo conduit/smp/fathom_conduit.h || echo conduit/distributed.h; }
options() { # options BUILD: in `all`
    all=(-std=gnu17 -O1 -g1 -I "$runtime" -I "$runtime/include" -I "$runtime/lang" -I "$runtime/conformance"
         "-DFATHOM_CONDUIT_HEADER=\"$(header "$1")\"")
    [ "$1" = near ] || all+=(-DFATHOM_REFERENCE)
}
for build in near far; do
    mkdir $build
    options $build
    ls "$runtime"/{core,gas,msg,queues,conduit/check,conduit/smp,conduit/launch,conduit/queue}/*.c \
        "$runtime"/lang/{start,unit,explain_trace}.c "$runtime"/conformance/{suite,calls,locks*,collectives_begun*}.c |
        (cd $build && objects "${all[@]}") || exit 1
    "$CC" -o suite.$build $build/*.o || exit 1
done

run() { # run PROGRAM THREADS LIMIT CASE
    FATHOM_THREADS=$2 timeout -k 1 $(($3 * 10)) "./$1" --limit "$3" "$4" >out 2>&1 </dev/null
}
# Does an end have its message?
ends() { # ends PROGRAM =CASE
    local message threads
    IFS=$'\t' read -r _ threads _ message <<<"$("./$1" --list-ends | grep "^${2#=}"$'\t')"
    run "$1" $((threads < 2 ? 2 : threads)) 15 "$2"
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

link_broken() { # link_broken FILE BUILD CASE
    options "$2"
    replaced "$2" "$1" "${all[@]}" && "$CC" -o broken "${parts[@]}"
}
finds() { # finds BUILD CASE
    case $2 in
    =*) ! ends broken "$2" ;;
    *) ! { run broken 2 10 "$2" && run broken 3 10 "$2" && run broken 5 10 "$2"; } ;;
    esac
}
[ "${1:-}" != --broken ] || find_broken 4
echo "begun: $((ran - bad)) of $ran good"
exit $bad
