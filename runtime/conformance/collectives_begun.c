/* Collectives that are begun and completed by their handles: every kind, size and place of buffers, with computing
 * meanwhile; many at the same time; who may run ahead of whom; and what is refused.
 */
#include <unistd.h>

#include "begun.h"
#include "gas/schedule.h"

/* ---- every kind, size and place ---------------------------------------------------------------------------------- */

/* One of a kind, with buffers where they are asked for, and a guard behind what it writes. */
struct one {
    gas_team team;
    int kind, root;
    size_t n;
    uint64_t key;
    bool in_place, src_shared, dst_shared;
    char *src, *dst;
    size_t src_bytes, dst_bytes;
    gas_handle h;
};
enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, KINDS };

static uint64_t key_of(const struct one *c, int from, int to) {
    return c->key + (uint64_t)from * 1000003 + (uint64_t)to * 101;
}

static void begin_one(struct one *c) {
    int size = gas_team_size(c->team), rank = gas_team_rank(c->team);
    size_t all = c->n * (size_t)size;
    c->src_bytes = c->kind == SCATTER || c->kind == EXCHANGE ? all : c->n;
    c->dst_bytes = c->kind >= GATHER ? all : c->n;
    size_t room = (c->src_bytes > c->dst_bytes ? c->src_bytes : c->dst_bytes) + 8;
    c->dst = buffer(c->dst_shared, room);
    c->src = c->in_place ? c->dst : buffer(c->src_shared, room);
    memset(c->dst, 0x5a, room);
    for (int r = 0; r < (c->src_bytes == all && c->kind != BROADCAST ? size : 1); r++)
        fill_pattern(c->src + c->n * (size_t)r, c->n, key_of(c, rank, c->src_bytes == all ? r : 0));
    switch (c->kind) {
    case BROADCAST: c->h = gas_broadcast_nb(c->team, c->dst, c->src, c->n, c->root); break;
    case SCATTER: c->h = gas_scatter_nb(c->team, c->dst, c->src, c->n, c->root); break;
    case GATHER: c->h = gas_gather_nb(c->team, c->dst, c->src, c->n, c->root); break;
    case GATHER_ALL: c->h = gas_gather_all_nb(c->team, c->dst, c->src, c->n); break;
    default: c->h = gas_exchange_nb(c->team, c->dst, c->src, c->n);
    }
}

/* After the handle: what is there; and this member's buffers are its own again. */
static void end_one(struct one *c) {
    int size = gas_team_size(c->team), rank = gas_team_rank(c->team);
    bool one_key = size == 1 || (c->kind != SCATTER && c->kind != EXCHANGE);
    switch (c->kind) {
    case BROADCAST: PATTERN(c->dst, c->n, key_of(c, c->root, 0)); break;
    case SCATTER: PATTERN(c->dst, c->n, key_of(c, c->root, one_key ? 0 : rank)); break;
    case GATHER:
        if (rank != c->root) break;
        /* fall through */
    default:
        for (int r = 0; r < size; r++) PATTERN(c->dst + c->n * (size_t)r, c->n, key_of(c, r, one_key ? 0 : rank));
    }
    if (!c->in_place) { /* nobody may read this any more, and nothing has been written behind the end */
        memset(c->src, 0x77, c->src_bytes);
        for (int i = 0; i < 8; i++) EQUAL(0x5a, c->dst[c->dst_bytes + (size_t)i]);
        release(c->src_shared, c->src);
    }
    release(c->dst_shared, c->dst);
}

static const size_t sizes[] = {0, 1, 8, 100, 4096, 4104, 65536, 65544, 1 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct one any(gas_team team, int kind, size_t n) {
    struct one c = {.team = team, .kind = kind, .n = n, .key = random_word(&together) >> 20};
    c.root = (int)random_below(&together, (uint64_t)gas_team_size(team));
    c.in_place = random_below(&together, 3) == 0;
    c.src_shared = random_below(&mine, 2);
    c.dst_shared = random_below(&mine, 2);
    return c;
}

CASE(begun_collectives_of_every_kind_and_size) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++)
            for (int again = 0; again < (sizes[i] > 100000 ? 1 : 4); again++) {
                struct one c = any(gas_world(), kind, sizes[i]);
                begin_one(&c);
                complete(&c.h);
                end_one(&c);
            }
}

/* Up to MANY at once, on three teams, in the same order on all members; completed in an order of each member's own, while calls
 * that block use the same teams. */
enum { MANY = 24 };
CASE(begun_collectives_many_at_the_same_time_on_several_teams) {
    gas_team teams[] = {gas_world(), gas_team_split(gas_world(), me() % 2, -me()),
                        gas_team_split(gas_world(), 0, me())};
    for (long round = suite_rounds(20); round-- > 0;) {
        struct one c[MANY];
        gas_handle h[MANY];
        int n = (int)random_between(&together, 1, MANY);
        for (int i = 0; i < n; i++) {
            gas_team team = teams[random_below(&together, 3)];
            c[i] = any(team, (int)random_below(&together, KINDS), sizes[random_below(&together, SIZES - 1)]);
            begin_one(&c[i]);
            h[i] = c[i].h;
            compute();
            if (random_below(&together, 8) == 0) gas_team_barrier(teams[random_below(&together, 3)]);
        }
        int64_t sum, one = 1;
        gas_all_reduce(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD, 0);
        EQUAL(count(), sum);
        complete_all(h, n);
        for (int i = 0; i < n; i++) end_one(&c[i]);
    }
    gas_team_free(teams[1]);
    gas_team_free(teams[2]);
}

/* ---- the barrier ------------------------------------------------------------------------------------------------- */

CASE(begun_barriers_complete_when_all_have_begun_them) {
    fathom_ptr flags = everywhere(8 * (size_t)count());
    memset(here(flags), 0, 8 * (size_t)count());
    gas_barrier();
    for (uint64_t i = 1; i <= (uint64_t)suite_rounds(100); i++) {
        if (random_below(&mine, 4) == 0) usleep(200);
        for (int t = 0; t < count(); t++) gas_put_value(on(t, flags) + (fathom_ptr)(8 * me()), i, 8);
        gas_handle h = gas_team_barrier_nb(gas_world());
        complete(&h);
        for (int t = 0; t < count(); t++) {
            uint64_t his = __atomic_load_n((uint64_t *)here(flags) + t, __ATOMIC_RELAXED);
            ASSERT(his == i || his == i + 1, "thread %d has flag %" PRIu64 " in round %" PRIu64, t, his, i);
        }
    }
    free_everywhere(flags);
}

/* ---- progress, and running ahead --------------------------------------------------------------------------------- */

/* Only thread 0 asks about its handle; the others wait for something that it does afterwards, in calls that know nothing of
 * collectives. So those must take them further. */
CASE(begun_collectives_go_on_in_calls_that_wait_for_something_else) {
    fathom_ptr flag = everywhere(64);
    memset(here(flag), 0, 64);
    gas_barrier();
    for (uint64_t i = 1; i <= (uint64_t)suite_rounds(40); i++) {
        int64_t sum = 0, one = 1;
        gas_handle h[2] = {gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD),
                           gas_team_barrier_nb(gas_world())};
        if (me() == 0) {
            gas_wait_all(h, 2);
            for (int t = 1; t < count(); t++) gas_put_signal(on(t, flag) + 8, &i, 8, on(t, flag), 1);
        } else if (i % 3 == 0) {
            gas_wait_counter(on(me(), flag), i);
        } else if (i % 3 == 1) {
            WAIT_UNTIL(__atomic_load_n((uint64_t *)here(flag), __ATOMIC_ACQUIRE) == i);
        } else {
            while (__atomic_load_n((uint64_t *)here(flag), __ATOMIC_ACQUIRE) != i) gas_poll();
        }
        gas_barrier();
        gas_wait_all(h, 2);
        EQUAL(count(), sum);
    }
    free_everywhere(flag);
}

/* The last thread begins nothing until the others have seen how far they get without it. */
CASE(begun_collectives_run_ahead_of_a_member_up_to_a_limit) {
    enum { N = 5 * GAS_AHEAD };
    gas_handle h[N];
    int64_t box[N];
    fathom_ptr seen = everywhere(8);
    *(uint64_t *)here(seen) = 0;
    gas_barrier();
    int last = count() - 1;
    if (me() == last && count() > 1) WAIT_UNTIL(gas_get_value(on(me(), seen), 8) == 1);
    for (int i = 0; i < N; i++) {
        box[i] = me() == 0 ? i * 3 : -1;
        h[i] = gas_broadcast_nb(gas_world(), &box[i], &box[i], 8, 0);
    }
    if (me() == 0 && count() > 1) {
        size_t under_way = 0;
        for (int i = 0; i < 300; i++) gas_test_some(h, N);
        for (int i = 0; i < N; i++) under_way += h[i] != GAS_DONE;
        /* The root sends to the last thread itself only where no other is between them. */
        if (count() <= 3) EQUAL(N - GAS_AHEAD, under_way);
        gas_put_value(on(last, seen), 1, 8);
        gas_wake(last);
    }
    gas_wait_all(h, N);
    for (int i = 0; i < N; i++) EQUAL(i * 3, box[i]);
    free_everywhere(seen);
}

/* It goes on with each one that the other begins, not with every eighth. */
CASE(begun_collectives_run_ahead_of_a_member_by_the_whole_limit) {
    enum { N = 2 * GAS_AHEAD };
    int64_t box[N];
    gas_handle h[N];
    fathom_ptr turn = everywhere(8);
    *(uint64_t *)here(turn) = 0;
    gas_barrier();
    for (int i = 0; i < N; i++) {
        int begun = i - GAS_AHEAD + 1; /* so many the last member has to have begun, so that the root sends this one */
        box[i] = me() == 0 ? i : -1;
        if (me() == count() - 1 && me() > 0) WAIT_UNTIL(gas_get_value(on(me(), turn), 8) >= (uint64_t)i);
        h[i] = gas_broadcast_nb(gas_world(), &box[i], &box[i], 8, 0);
        if (me() != 0 || count() == 1) continue;
        gas_put_value(on(count() - 1, turn), (uint64_t)(i == N - 1 ? N : begun > 0 ? begun - 1 : 0), 8);
        gas_wake(count() - 1);
        if (i < N - 1) gas_wait(&h[i]);
    }
    gas_wait_all(h, N);
    for (int i = 0; i < N; i++) EQUAL(i, box[i]);
    free_everywhere(turn);
}

/* The root's own piece goes where that of member 0 is, who begins when the root could have gone on for long. */
CASE(begun_collectives_leave_what_others_have_yet_to_read) {
    enum { N = 100000 };
    int root = count() > 1;
    fathom_ptr go = everywhere(8);
    *(uint64_t *)here(go) = 0;
    gas_barrier();
    size_t all = N * (size_t)count();
    char *box = buffer(true, all);
    for (int r = 0; r < count(); r++) fill_pattern(box + N * (size_t)r, N, (uint64_t)(me() * 1000 + r));
    if (me() == 0 && root != 0) WAIT_UNTIL(gas_get_value(on(0, go), 8) == 1);
    gas_handle h = gas_scatter_nb(gas_world(), box, box, N, root);
    if (me() == root && root != 0) {
        for (int i = 0; i < 100; i++) ASSERT(!gas_test(&h), "it is complete, and member 0 has not begun it");
        gas_put_value(on(0, go), 1, 8);
        gas_wake(0);
    }
    gas_wait(&h);
    PATTERN(box, N, (uint64_t)(root * 1000 + me()));
    release(true, box);
    free_everywhere(go);
}

/* Messages may come before a member knows the team; numbers of freed teams are not used again. */
CASE(begun_collectives_on_teams_that_come_and_go) {
    for (long i = suite_rounds(20); i-- > 0;) {
        gas_team team = gas_team_split(gas_world(), me() % 2, (int)random_below(&together, 5) * me());
        int64_t sum[20], mine_is = me() + 1;
        gas_handle h[20];
        for (int k = 0; k < 20; k++) h[k] = gas_all_reduce_nb(team, &sum[k], &mine_is, 1, GAS_I64, GAS_ADD);
        gas_wait_all(h, 20);
        int64_t all = 0;
        for (int r = 0; r < gas_team_size(team); r++) all += gas_team_thread(team, r) + 1;
        for (int k = 0; k < 20; k++) EQUAL(all, sum[k]);
        gas_team_free(team);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

#define LINE(text) "fathom: thread [0-9]+: " text "( in .*)?\\|"

static gas_handle begun(void *dst, const void *src) {
    return gas_all_reduce_nb(gas_world(), dst, src, 1, GAS_I64, GAS_ADD);
}

ENDS(begun_collective_waited_for_twice, 2, 1,
     LINE("0x[0-9a-f]+ is not the handle of a transfer that this thread began and has not synchronised yet.*")) {
    int64_t sum, one = 1;
    fathom_ptr flag = everywhere(8);
    *(uint64_t *)here(flag) = 0;
    gas_barrier();
    if (me() > 0) WAIT_UNTIL(gas_get_value(on(me(), flag), 8) == 1); /* so that thread 0's is not complete at once */
    gas_handle h = begun(&sum, &one), copy = h;
    for (int t = 1; me() == 0 && t < count(); t++) gas_put_value(on(t, flag), 1, 8), gas_wake(t);
    gas_wait(&h);
    if (me() == 0) gas_wait(&copy);
    gas_barrier();
}

ENDS(
    begun_collective_on_a_team_that_is_freed, 2, 1,
    LINE(
        "gas_team_free: 1 collective operations of the team have been begun and not waited for: wait for their handles "
        "first.*")) {
    gas_team team = gas_team_split(gas_world(), 0, me());
    int64_t box = me();
    if (me() == 0) {
        gas_handle h = gas_broadcast_nb(team, &box, &box, 8, 1);
        (void)h;
        gas_team_free(team);
    }
    WAIT_UNTIL(false);
}

static void begins(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_team_barrier_nb(gas_world());
}
ENDS(begun_collective_in_a_handler, 1, 1, LINE("gas_team_barrier_nb from a handler: a handler may only reply.*")) {
    int handler = gas_register(begins);
    gas_barrier();
    if (me() == 0) gas_request_short(0, handler, NULL, 0);
    gas_barrier();
}

ENDS(begun_collectives_that_differ, 2, 1,
     LINE("the members of a team have begun different collective operations, this one a .* and thread [0-9]+ a .*")) {
    int64_t box = me(), sum;
    gas_handle h = me() == 0 ? gas_broadcast_nb(gas_world(), &box, &box, 8, 0) : begun(&sum, &box);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

/* Both wait for data that neither sends; and the same behind others, of which one differs. */
#define DIFFERENT(one, other)                                                                                          \
    LINE("the members of a team have begun different collective operations, this one (" one "|" other                  \
         ") and thread [0-9]+ (" one "|" other "): all begin the same in the same order")
ENDS(begun_collectives_with_different_roots, 2, 1, DIFFERENT("a broadcast \\(root 0\\)", "a broadcast \\(root 1\\)")) {
    int64_t box = me();
    gas_handle h = gas_broadcast_nb(gas_world(), &box, &box, 8, me() == 0);
    gas_wait(&h);
    WAIT_UNTIL(false);
}
ENDS(begun_collectives_in_another_order, 2, 1, DIFFERENT("a broadcast \\(root 0\\)", "a gather \\(root 0\\)")) {
    int64_t box = me(), one = me(), *all = malloc((size_t)count() * sizeof *all);
    gas_handle h[2];
    for (int i = 0; i < 2; i++)
        h[i] = (me() == 0) == (i == 0) ? gas_broadcast_nb(gas_world(), &box, &box, 8, 0)
                                       : gas_gather_nb(gas_world(), all, &one, 8, 0);
    gas_wait(&h[1]);
    WAIT_UNTIL(false);
}

ENDS(begun_collectives_of_different_sizes, 2, 1,
     LINE("the members of a team give different sizes to a collective operation: [0-9]+ bytes, and thread [0-9]+.*")) {
    char box[32] = {0};
    gas_handle h = gas_broadcast_nb(gas_world(), box, box, me() == 1 ? 16 : 24, 1);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(begun_collective_that_a_thread_never_begins, 2, 1,
     LINE("waits in a collective function for thread 1, which has terminated: it would wait forever.*")) {
    int64_t box = 5;
    gas_barrier();
    if (me() == 1) exit(0);
    gas_handle h = gas_gather_nb(gas_world(), me() == 0 ? (int64_t[64]){0} : NULL, &box, 8, 0);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(begun_collective_with_a_root_that_does_not_exist, 1, 1,
     LINE("gas_broadcast_nb: root [0-9]+ of a team of [0-9]+.*")) {
    int64_t box = 0;
    gas_broadcast_nb(gas_world(), &box, &box, 8, count());
}
