/* Members that make different collective calls, or in another order: the job ends and says so, where a member waits for what will
 * not come (gas/calls.h). Members that are only late are not accused. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "suite.h"

#define LINE(text) "fathom: thread [0-9]+: " text "( in .*)?\\|"
#define RULE ": all threads make the same collective calls in the same order"
#define DIFFER(one, other) LINE("the collective calls differ: thread [0-9]+ makes " one ", thread [0-9]+ " other RULE)
#define AND_BEGUN RULE ", and one with a handle \\(_nb\\) meets none that blocks"
#define EITHER(a, b) DIFFER("(" a "|" b ")", "(" a "|" b ")")

static gas_team the_world(void) { return gas_world(); }
static gas_team half(void) { return gas_team_split(gas_world(), 0, -me()); }

static void gather_or_scatter(gas_team (*make)(void)) {
    gas_team team = make();
    int64_t all[1024] = {0}, one = me();
    if (gas_team_rank(team) == 0)
        gas_gather(team, all, &one, 8, 0, 0);
    else
        gas_scatter(team, &one, all, 8, 0, 0);
    WAIT_UNTIL(false);
}
#define GATHER "a gather \\(root 0, 8 bytes\\)"
#define SCATTER "a scatter \\(root 0, 8 bytes\\)"
ENDS(calls_of_different_kinds, 2, 1, EITHER(GATHER, SCATTER)) { gather_or_scatter(the_world); }
ENDS(calls_of_different_kinds_on_a_team, 2, 1, EITHER(GATHER, SCATTER)) { gather_or_scatter(half); }

ENDS(calls_with_different_roots, 2, 1,
     EITHER("a broadcast \\(root 0, 8 bytes\\)", "a broadcast \\(root 1, 8 bytes\\)")) {
    int64_t box = me();
    gas_broadcast(gas_world(), &box, &box, 8, me() == 0, 0);
    WAIT_UNTIL(false);
}

ENDS(calls_of_different_sizes, 2, 1,
     DIFFER("a broadcast \\(root 1, 100000 bytes\\)", "a broadcast \\(root 1, 1000 bytes\\)")) {
    static char box[100000];
    gas_broadcast(gas_world(), box, box, me() == 1 ? 1000 : sizeof box, 1, 0);
    WAIT_UNTIL(false);
}

/* The first ones that differ are named, although none of them makes anybody wait. */
ENDS(calls_in_another_order, 2, 1, EITHER("a gather .*", "a broadcast .*")) {
    int64_t all[1024] = {0}, one = me();
    if (me() == 0) gas_broadcast(gas_world(), &one, &one, 8, 0, 0);
    gas_gather(gas_world(), all, &one, 8, 0, 0);
    if (me() != 0) gas_broadcast(gas_world(), &one, &one, 8, 0, 0);
    gas_scan(gas_world(), all, &one, 1, GAS_I64, GAS_ADD, 0, 0);
    if (me() != 0) gas_broadcast(gas_world(), &one, &one, 8, 0, 0);
    WAIT_UNTIL(false);
}

ENDS(calls_with_much_data_and_a_barrier_of_all, 2, 1,
     LINE("this thread is in a gather to all \\(1000000 bytes\\) and waits for thread [0-9]+, which waits for it at a "
          "barrier" RULE)) {
    static char mine[1000000];
    char *all = malloc(sizeof mine * (size_t)count());
    if (me() == 0)
        gas_gather_all(gas_world(), all, mine, sizeof mine, 0);
    else
        gas_barrier();
    WAIT_UNTIL(false);
}
ENDS(calls_dealt_out_in_pieces_and_whole, 2, 1,
     EITHER("a reduction whose result is dealt out", "a reduction for all \\(8 bytes\\)")) {
    static int64_t from[1024], to[1024];
    size_t counts[1024];
    for (int t = 0; t < count(); t++) counts[t] = 1;
    if (me() == 0)
        gas_reduce_scatter_pieces(gas_world(), to, from, counts, GAS_I64, GAS_ADD);
    else
        gas_all_reduce(gas_world(), to, from, 1, GAS_I64, GAS_ADD, 0);
    WAIT_UNTIL(false);
}

#define DEALT "a reduction whose result is dealt out"
ENDS(calls_dealt_out_in_pieces_that_block_and_a_begun_one, 2, 1,
     LINE("this thread (is in " DEALT " and waits|waits for the handle of " DEALT
          " and so) for thread [0-9]+, which waits for it (for the handle of|in) " DEALT AND_BEGUN)) {
    static int64_t from[1024], to[1024];
    size_t counts[1024];
    for (int t = 0; t < count(); t++) counts[t] = 1;
    gas_handle h = GAS_DONE;
    if (me() == 0)
        gas_reduce_scatter_pieces(gas_world(), to, from, counts, GAS_I64, GAS_ADD);
    else
        h = gas_reduce_scatter_pieces_nb(gas_world(), to, from, counts, GAS_I64, GAS_ADD);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(calls_of_pieces_that_differ, 2, 1, EITHER("a gather of pieces \\(root 0\\)", "a scatter of pieces \\(root 0\\)")) {
    static size_t at[1024], bytes[1024];
    if (me() == 0)
        gas_gather_pieces(gas_world(), NULL, at, bytes, NULL, 0, 0);
    else
        gas_scatter_pieces(gas_world(), NULL, 0, NULL, at, bytes, 0);
    WAIT_UNTIL(false);
}

#define EACH_OTHER(what) LINE("this thread is in " what " and waits for thread 0, which waits for it at a barrier" RULE)
ENDS(calls_and_a_barrier_of_all, 2, 1, EACH_OTHER("a broadcast \\(root 0, 8 bytes\\)")) {
    int64_t box = me();
    if (me() == 0)
        gas_barrier();
    else
        gas_broadcast(gas_world(), &box, &box, 8, 0, 0);
    WAIT_UNTIL(false);
}
ENDS(calls_of_a_team_and_a_barrier_of_all, 2, 1, EACH_OTHER("a barrier of the team")) {
    gas_team team = half();
    if (me() == 0)
        gas_barrier();
    else
        gas_team_barrier(team);
    WAIT_UNTIL(false);
}
ENDS(calls_and_the_second_half_of_a_barrier, 2, 1, EACH_OTHER("a reduction for all \\(8 bytes\\)")) {
    int64_t box = me(), sum;
    gas_barrier();
    if (me() == 0) {
        gas_barrier_notify();
        gas_barrier_wait();
    }
    gas_all_reduce(gas_world(), &sum, &box, 1, GAS_I64, GAS_ADD, 0);
    WAIT_UNTIL(false);
}
/* A loop that asks is a wait. */
static void ask_for_ever(void) {
    gas_barrier_notify();
    while (!gas_barrier_try()) {}
}
ENDS(calls_and_a_barrier_that_is_tested, 2, 1, EACH_OTHER("a reduction for all \\(8 bytes\\)")) {
    int64_t box = me(), sum;
    if (me() == 0)
        ask_for_ever();
    else
        gas_all_reduce(gas_world(), &sum, &box, 1, GAS_I64, GAS_ADD, 0);
    WAIT_UNTIL(false);
}

static int64_t sum_of(gas_team team) {
    int64_t mine_is = me() + 1, sum = 0;
    gas_all_reduce(team, &sum, &mine_is, 1, GAS_I64, GAS_ADD, 0);
    return sum;
}

/* ---- with handles, and on several teams -------------------------------------------------------------------------- */

#define SUM "a reduction for all"
#define BLOCKS_AND_BEGUN                                                                                               \
    LINE("this thread (is in " SUM " \\(8 bytes\\) and waits|waits for the handle of " SUM                             \
         " and so) for thread [0-9]+, "                                                                                \
         "which waits for it (for the handle of|in) " SUM AND_BEGUN)
static void wait_for_some(gas_handle *h) {
    gas_handle all[3] = {GAS_DONE, *h, GAS_DONE};
    while (gas_wait_some(all, 3)) {}
}
static void begins_what_blocks(gas_team (*make)(void), int beginner, void (*wait)(gas_handle *)) {
    gas_team team = make();
    int64_t mine_is = me(), sum;
    gas_handle h = GAS_DONE;
    if (gas_team_rank(team) == beginner)
        h = gas_all_reduce_nb(team, &sum, &mine_is, 1, GAS_I64, GAS_ADD);
    else
        gas_all_reduce(team, &sum, &mine_is, 1, GAS_I64, GAS_ADD, 0);
    wait(&h);
    WAIT_UNTIL(false);
}
ENDS(calls_that_block_and_a_begun_one, 2, 1, BLOCKS_AND_BEGUN) { begins_what_blocks(the_world, 0, gas_wait); }
ENDS(calls_that_block_and_a_begun_one_on_a_team, 2, 1, BLOCKS_AND_BEGUN) { begins_what_blocks(half, 1, gas_wait); }
ENDS(calls_that_block_and_a_begun_one_among_some, 2, 1, BLOCKS_AND_BEGUN) {
    begins_what_blocks(the_world, 0, wait_for_some);
}

/* The root of a broadcast that blocks has ended it when it waits elsewhere: in another one, at a barrier, for a handle. */
static void begun_broadcast_and(void (*then)(void)) {
    int64_t box = me();
    gas_handle h = GAS_DONE;
    if (me() == 0) {
        gas_broadcast(gas_world(), &box, &box, 8, 0, 0);
        then();
    } else {
        h = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    }
    gas_wait(&h);
    WAIT_UNTIL(false);
}
#define HANDLE "waits for the handle of a broadcast and so for thread [0-9]+, which waits for it "
static void another(void) {
    int64_t all[1024], one = 0;
    gas_gather(gas_world(), all, &one, 8, 0, 0);
}
ENDS(calls_that_block_one_behind_a_begun_one, 2, 1,
     LINE("this thread (" HANDLE "in a gather|is in a gather \\(root 0, 8 bytes\\) and waits for thread [0-9]+, which "
          "waits for it for the handle of a broadcast)" AND_BEGUN)) {
    begun_broadcast_and(another);
}
ENDS(calls_with_a_handle_and_a_barrier_of_all, 2, 1, LINE("this thread " HANDLE "at a barrier" RULE)) {
    begun_broadcast_and(gas_barrier);
}

ENDS(calls_with_a_handle_and_a_barrier_that_is_tested, 2, 1, LINE("this thread " HANDLE "at a barrier" RULE)) {
    begun_broadcast_and(ask_for_ever);
}

/* Members 0 and 1 are on two teams, and call them in different orders. */
static void two_teams(void (*call)(gas_team)) {
    gas_team one = half(), other = half();
    call(me() == 0 ? one : other);
    call(me() == 0 ? other : one);
    WAIT_UNTIL(false);
}
static void sum_begun(gas_team t) {
    int64_t mine_is = 1, sum;
    gas_handle h = gas_all_reduce_nb(t, &sum, &mine_is, 1, GAS_I64, GAS_ADD);
    gas_wait(&h);
}
ENDS(calls_of_two_teams_in_another_order, 2, 1,
     LINE("this thread is in a barrier of the team and waits for thread [0-9]+, which waits for it in a barrier of "
          "another team" RULE)) {
    two_teams(gas_team_barrier);
}
/* A root is as far ahead as it may be, and waits until the others take what it has sent. */
ENDS(calls_of_two_teams_one_of_them_far_ahead, 2, 1,
     LINE("this thread is in (a broadcast \\(root 0, 8 bytes\\)|a barrier of the team) and waits for thread [0-9]+, "
          "which waits for it in (a broadcast|a barrier) of another team" RULE)) {
    gas_team one = gas_team_split(gas_world(), 0, 0), other = half();
    int64_t box = me();
    for (int i = 0; me() == 0 && i < 100; i++) gas_broadcast(one, &box, &box, 8, 0, 0);
    gas_team_barrier(other);
    for (int i = 0; me() != 0 && i < 100; i++) gas_broadcast(one, &box, &box, 8, 0, 0);
    WAIT_UNTIL(false);
}
ENDS(calls_with_handles_of_two_teams_in_another_order, 2, 1,
     LINE("this thread waits for the handle of " SUM
          " and so for thread [0-9]+, which waits for it for the handle of " SUM " of another team" RULE)) {
    two_teams(sum_begun);
}

/* Three threads or more, each on a team with the one before it and on one with the one behind, each in the call of one of these. */
#define CIRCLE(in)                                                                                                     \
    LINE("threads wait for each other in a circle: this one, " in ", for thread [0-9]+(, that one for thread "         \
         "[0-9]+)+, and that one for this one, " in " of another team" RULE)
static gas_team pair_of(int one, int other) { return gas_team_create(gas_world(), (int[]){one, other}, 2); }
/* `turned`: bit i is set where thread i has rank 1 in the team with the one behind it. */
static void circle(void (*call)(gas_team), int turned) {
    gas_team behind = NULL, before = NULL;
    for (int i = 0; i < count(); i++) {
        int next = (i + 1) % count();
        gas_team team = turned >> i & 1 ? pair_of(next, i) : pair_of(i, next);
        if (me() == i) behind = team;
        if (me() == (i + 1) % count()) before = team;
    }
    call(behind);
    call(before);
    WAIT_UNTIL(false);
}
static void sum_blocking(gas_team t) { sum_of(t); }
ENDS(calls_in_a_circle, 3, 1, CIRCLE("in a reduction for all")) { circle(sum_blocking, 0); }
/* Each of them would ask itself first. */
ENDS(calls_with_handles_in_a_turned_circle, 3, 1, CIRCLE("for the handle of a reduction for all")) {
    circle(sum_begun, 1);
}
ENDS(calls_with_handles_in_a_circle, 3, 1, CIRCLE("for the handle of a reduction for all")) { circle(sum_begun, 0); }
/* A wait for two members at once: to send, and to receive. */
enum { MUCH = 1 << 20, AS_MAY_BE_AHEAD = 300000 };
static void gather(gas_team t, size_t n) {
    static char mine[MUCH];
    char *all = malloc((size_t)gas_team_size(t) * n);
    ASSERT(all, "no memory");
    gas_gather_all(t, all, mine, n, 0);
    free(all);
}
static void gather_much(gas_team t) { gather(t, MUCH); }
ENDS(calls_with_much_data_in_a_circle, 3, 1, CIRCLE("in a gather to all( \\(1048576 bytes\\))?")) {
    circle(gather_much, 0);
}
/* Thread i needs the next two, and can neither send to the one nor receive from the other. */
ENDS(calls_with_much_data_in_a_circle_of_larger_teams, 5, 1,
     LINE("threads wait for each other in a circle: this one, in a gather to all, .*" RULE)) {
    gas_team own = NULL;
    for (int i = 0; i < 5; i++) {
        gas_team team = gas_team_create(gas_world(), (int[]){i, (i + 1) % 5, (i + 2) % 5}, 3);
        if (i == me()) own = team;
    }
    if (own) gather_much(own);
    WAIT_UNTIL(false);
}

/* 0 needs 1, that one 2, and that one 0; what 0 and 1 receive is to come by way of members that are in the call. */
ENDS(calls_in_a_circle_behind_others, 5, 1,
     LINE("threads wait for each other in a circle: this one, in a gather to all, .*" RULE)) {
    gas_team one = gas_team_create(gas_world(), (int[]){0, 1, 3}, 3),
             other = gas_team_create(gas_world(), (int[]){1, 2, 4}, 3), last = pair_of(2, 0);
    if (me() == 0 || me() == 3) gather(one, AS_MAY_BE_AHEAD);
    if (me() == 1 || me() == 4) gather(other, AS_MAY_BE_AHEAD);
    if (me() == 2) gather(last, AS_MAY_BE_AHEAD);
    WAIT_UNTIL(false);
}

/* Each of three is in a broadcast of the next one, and is about to deal with another member, which has begun it. */
ENDS(calls_in_a_circle_of_larger_teams, 5, 1, LINE("threads wait for each other in a circle: this one, .*" RULE)) {
    int64_t box = me();
    gas_handle all[3] = {GAS_DONE, GAS_DONE, GAS_DONE};
    for (int i = 0; i < 3; i++) {
        gas_team team = gas_team_create(gas_world(), (int[]){(i + 1) % 3, 3, 4, i}, 4);
        if (me() == i || me() == 3 || me() == 4) all[i] = gas_broadcast_nb(team, &box, &box, 8, 0);
    }
    for (int i = 0; i < 3; i++) gas_wait(&all[i]);
    WAIT_UNTIL(false);
}

/* ---- far behind -------------------------------------------------------------------------------------------------- */

/* A root is as far ahead as it may be; the others have made none of its calls. */
ENDS(calls_of_a_member_that_is_far_ahead, 2, 1, EITHER("a gather .*", "a broadcast .*")) {
    int64_t all[1024] = {0}, one = me();
    for (int i = 0; me() == 0 && i < 100; i++) gas_broadcast(gas_world(), &one, &one, 8, 0, 0);
    gas_gather(gas_world(), all, &one, 8, me(), 0);
    WAIT_UNTIL(false);
}
ENDS(calls_without_data_far_ahead, 2, 1, EITHER("a gather .*", "a broadcast \\(root 0\\)")) {
    int64_t all[1024] = {0}, one = me();
    for (int i = 0; me() == 0 && i < 40; i++) gas_broadcast(gas_world(), &one, &one, 0, 0, 0);
    gas_gather(gas_world(), all, &one, 8, me(), 0);
    WAIT_UNTIL(false);
}

/* Members find more than their records say. */
ENDS(
    calls_far_behind_those_without_data, 2, 1,
    LINE("this thread is in a gather \\(root 1, 8 bytes\\) and waits for thread 0, which has made [0-9]+ calls more on "
         "the team and does not come back to this one" RULE) "|" EITHER("a gather .*", "a broadcast \\(root 0\\)")) {
    int64_t all[1024] = {0}, one = me();
    for (int i = 0; me() == 0 && i < 1000; i++) gas_broadcast(gas_world(), &one, &one, 0, 0, 0);
    if (me() != 0) gas_gather(gas_world(), all, &one, 8, 1, 0);
    WAIT_UNTIL(false);
}

/* ---- those that are right ---------------------------------------------------------------------------------------- */

enum { LATE_US = 350000 }; /* longer than a member waits until it looks who is missing, three times */

static void poll_for(unsigned us) {
    for (int k = 0; k < 35; k++) {
        for (int j = 0; j < 100; j++) gas_poll();
        usleep(us / 35);
    }
}

/* While the others wait for it, it makes no call; or it polls, and so answers what they ask. */
CASE(calls_of_a_member_that_is_late) {
    int last = count() - 1;
    int64_t sum = (int64_t)count() * (count() + 1) / 2;
    for (int i = 0; i < 2; i++) {
        int64_t box = me();
        if (me() == last && i == 0) usleep(LATE_US);
        if (me() == last && i == 1) poll_for(LATE_US);
        gas_broadcast(gas_world(), &box, &box, 8, last, 0);
        EQUAL(last, box);
        EQUAL(sum, sum_of(gas_world()));
        gas_barrier();
    }
}

/* The root runs ahead as far as it may, and waits there for a member that then goes straight to the barrier. */
CASE(calls_that_wait_for_those_before) {
    int last = count() - 1;
    gas_barrier();
    if (me() == last) usleep(LATE_US);
    for (int i = 0; i < 100; i++) {
        int64_t box = me() == 0 ? i : -1;
        gas_broadcast(gas_world(), &box, &box, 8, 0, 0);
        EQUAL(i, box);
    }
    gas_barrier();
}

/* A member is at a barrier when the others wait for it in a call; they have begun that barrier, or it is that of another one. */
CASE(calls_and_barriers_of_late_members) {
    gas_team team = half();
    for (int i = 0; i < 3; i++) {
        if (me() == i % count()) usleep(LATE_US);
        gas_barrier_notify();
        if (me() == (i + 1) % count()) usleep(LATE_US);
        gas_barrier_wait();
        gas_team_barrier(team);
        EQUAL(sum_of(gas_world()), sum_of(team));
    }
    gas_team_free(team);
}

/* One asks whether a barrier has ended that the others have not reached, while these are in calls without it. */
CASE(calls_of_others_while_one_tests_a_barrier) {
    int last = count() - 1;
    gas_team others = gas_team_split(gas_world(), me() == 0 ? -1 : 0, 0);
    for (int i = 0; i < 2; i++) {
        if (me() == last) usleep(LATE_US);
        if (others) EQUAL((int64_t)count() * (count() + 1) / 2 - 1, sum_of(others));
        gas_barrier_notify();
        while (!gas_barrier_try()) {}
        EQUAL((int64_t)count() * (count() + 1) / 2, sum_of(gas_world()));
    }
    gas_team_free(others);
}

/* A root that was as far ahead as it may be goes on when the others have taken half of that; then they wait for it elsewhere. */
CASE(calls_for_whose_data_there_is_credit) {
    enum { FIRST = 8, ALL = 17 };
    int64_t box = me();
    gas_barrier();
    if (me() != 0) usleep(LATE_US);
    for (int i = 0; i < (me() == 0 ? ALL : FIRST); i++) gas_broadcast(gas_world(), &box, &box, 8, 0, 0);
    if (me() == 0) usleep(2 * LATE_US);
    gas_handle h = gas_team_barrier_nb(gas_world());
    gas_wait(&h);
    for (int i = FIRST; me() != 0 && i < ALL; i++) gas_broadcast(gas_world(), &box, &box, 8, 0, 0);
    EQUAL(0, box);
}

/* One that has waited at a barrier is stopped there, while the others leave the barrier and wait for it in a call. */
static void *continue_late(void *pid) {
    usleep(2 * LATE_US);
    kill(*(pid_t *)pid, SIGCONT);
    return NULL;
}
CASE(calls_of_a_member_that_is_stopped_in_a_barrier) {
    int last = count() - 1;
    fathom_ptr told = everywhere(8);
    if (me() == last) gas_put_value(on(0, told), (uint64_t)getpid(), 8);
    gas_barrier();
    bool stops = me() == 0 && last > 0 && fathom_is_near(on(last, told)); /* else it may be on another computer */
    pid_t pid = (pid_t) * (uint64_t *)here(told);
    pthread_t other;
    if (stops) {
        usleep(LATE_US);
        kill(pid, SIGSTOP);
        if (pthread_create(&other, NULL, continue_late, &pid) != 0) gas_fatal("no POSIX thread");
    }
    gas_barrier();
    int64_t box = me();
    gas_broadcast(gas_world(), &box, &box, 8, last, 0);
    EQUAL(last, box);
    if (stops) pthread_join(other, NULL);
    free_everywhere(told);
}

/* The order of those that are begun and of those that block is free. */
CASE(calls_and_begun_ones_in_any_order) {
    int64_t box = me(), sum = (int64_t)count() * (count() + 1) / 2;
    gas_handle h = GAS_DONE;
    gas_barrier();
    if (me() % 2 == 0) h = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    if (me() == count() - 1) usleep(LATE_US);
    EQUAL(sum, sum_of(gas_world()));
    if (me() % 2 != 0) h = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    gas_wait(&h);
    EQUAL(0, box);
    /* Now that a wait lasts, all of that is compared. */
    if (me() == count() - 1) usleep(LATE_US);
    EQUAL(sum, sum_of(gas_world()));
}

/* Thread 2 waits for thread 1, and that for thread 0, which is late and answers; and thread 0 has waited for thread 2 before. */
static void chain(void (*call)(gas_team)) {
    gas_team first = pair_of(0, 1), second = pair_of(1, 2), third = pair_of(2, 0);
    for (int i = 0; i < 3; i++) {
        gas_barrier();
        if (me() == 2) usleep(LATE_US);
        if (third) call(third);
        if (me() == 0) poll_for(2 * LATE_US);
        if (first) call(first);
        if (second) call(second);
    }
    gas_team_free(first);
    gas_team_free(second);
    gas_team_free(third);
}
CASE(calls_in_a_chain_behind_a_late_member) {
    if (count() < 3) return;
    chain(sum_blocking);
    chain(sum_begun);
}

/* A handle that is waited for ends late, because the last member is; others are in a call meanwhile, which waits for all. */
CASE(calls_that_block_while_others_wait_for_a_late_member) {
    int64_t one = 1, sum;
    gas_barrier();
    if (me() == count() - 1) usleep(LATE_US);
    gas_handle h = gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
    if (me() % 2 == 0) gas_wait(&h);
    EQUAL((int64_t)count() * (count() + 1) / 2, sum_of(gas_world()));
    gas_wait(&h);
    EQUAL(count(), sum);
}

/* Who gives to a root that is late needs nobody else, and waits until its data have been read. */
CASE(calls_that_block_while_others_wait_for_a_late_root) {
    enum { LONG = 200000 };
    int last = count() - 1;
    fathom_ptr room = everywhere(LONG);
    char *all = malloc(LONG * (size_t)count());
    ASSERT(all, "no memory");
    gas_handle h = GAS_DONE;
    gas_barrier();
    if (me() == last) usleep(LATE_US);
    bool is_behind = me() == 1 && me() != last; /* the root takes what thread 0 gives first */
    if (!is_behind) h = gas_gather_nb(gas_world(), all, here(room), LONG, last);
    if (me() == 0 && last != 0) gas_wait(&h);
    EQUAL((int64_t)count() * (count() + 1) / 2, sum_of(gas_world()));
    if (is_behind) h = gas_gather_nb(gas_world(), all, here(room), LONG, last);
    gas_wait(&h);
    free(all);
    free_everywhere(room);
}

/* Who waits for one of two handles goes on when the other one is complete. */
CASE(calls_that_block_while_others_wait_for_one_of_two) {
    int64_t box = me(), other = me();
    int last = count() - 1;
    gas_team both = gas_team_split(gas_world(), me() == 1 || me() == last ? 0 : -1, 0);
    gas_handle h[2] = {GAS_DONE, GAS_DONE};
    gas_barrier();
    if (me() == last) usleep(LATE_US);
    if (both) h[0] = gas_broadcast_nb(both, &other, &other, 8, gas_team_size(both) - 1);
    if (me() != 0) h[1] = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    if (me() == 1 && last > 1) gas_wait_some(h, 2);
    EQUAL((int64_t)count() * (count() + 1) / 2, sum_of(gas_world()));
    if (me() == 0) h[1] = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    gas_wait_all(h, 2);
    EQUAL(0, box);
    if (both) EQUAL(last, other);
    gas_team_free(both);
}

/* Nor does one wait for ever who tests. */
CASE(calls_that_block_while_others_test_a_begun_one) {
    int64_t box = me(), other = me(), sum = (int64_t)count() * (count() + 1) / 2;
    gas_handle h[2] = {GAS_DONE, GAS_DONE};
    gas_barrier();
    if (me() != 0) {
        h[0] = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
        for (int i = 0; i < 100; i++) {
            ASSERT(!gas_test(&h[0]), "the root has not begun it");
            usleep(LATE_US / 100);
        }
    }
    EQUAL(sum, sum_of(gas_world()));
    if (me() == 0) h[0] = gas_broadcast_nb(gas_world(), &box, &box, 8, 0);
    h[1] = gas_broadcast_nb(gas_world(), &other, &other, 8, count() - 1);
    gas_wait_all(h, 2);
    EQUAL(0, box);
    EQUAL(count() - 1, other);
}
