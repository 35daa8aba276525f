/* Several POSIX threads of each process call at the same time (level multiple), and what is refused at the other levels.
 * The level is raised for a case only: the others show that a process without it works as before.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/gate.h"
#include "gas/gas_internal.h"
#include "gas/outbox.h"
#include "suite.h"

enum { PTHREADS = 4 };

struct caller {
    int p; /* 0 to PTHREADS - 1 */
    struct suite_random random;
    void (*run)(struct caller *);
    pthread_t thread;
};

static pthread_barrier_t begin; /* so that they run at the same time */

static void *start(void *arg) {
    struct caller *c = arg;
    pthread_barrier_wait(&begin);
    c->run(c);
    return NULL;
}

/* False: the conduit does not have this level. */
static bool raise_level(enum gas_thread_level level) {
    enum gas_thread_level had = gas_start_threads(NULL, NULL, level);
    ASSERT(had == level || had == GAS_THREAD_SINGLE, "asked for level %d, got %d", (int)level, (int)had);
    EQUAL(had, gas_thread_level());
    return had == level;
}
/* As no program can. */
static void end_level(void) { core_gate_start(GAS_THREAD_SINGLE); }

/* Runs it in PTHREADS threads of each process, the first of which started the job. */
static void together_run(void run(struct caller *)) {
    static struct caller callers[PTHREADS];
    gas_barrier();
    if (!raise_level(GAS_THREAD_MULTIPLE)) {
        if (me() == 0) printf("# nothing was tested: several POSIX threads may not call on this conduit\n");
        return;
    }
    pthread_barrier_init(&begin, NULL, PTHREADS);
    for (int p = 0; p < PTHREADS; p++) {
        callers[p] = (struct caller){.p = p, .run = run};
        callers[p].random.state = mine.state + 0x9e3779b97f4a7c15u * (uint64_t)(p + 1);
        if (p && pthread_create(&callers[p].thread, NULL, start, &callers[p]) != 0) gas_fatal("no POSIX thread");
    }
    start(&callers[0]);
    for (int p = 1; p < PTHREADS; p++) pthread_join(callers[p].thread, NULL);
    pthread_barrier_destroy(&begin);
    gas_barrier();
    end_level();
}

/* Rounds; more where they are short, because all threads are near. */
static int times(int n) {
    int near;
    gas_near(&near);
    return (int)suite_rounds(near == count() ? 5 * n : n);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

enum { ROOM = 20000 };
static fathom_ptr area; /* PTHREADS rooms for each thread, on each thread */

static fathom_ptr own_room(int thread, const struct caller *c) {
    return on(thread, area) + (fathom_ptr)((me() * PTHREADS + c->p) * ROOM);
}

static void move(struct caller *c) {
    static const size_t sizes[] = {1, 2, 4, 8, 16, 24, 100, 1000, ROOM};
    char *out = malloc(ROOM), *back = malloc(ROOM);
    for (int i = 0; i < times(200); i++) {
        int to = (int)random_below(&c->random, (uint64_t)count());
        size_t n = sizes[random_below(&c->random, sizeof sizes / sizeof *sizes)];
        uint64_t key = random_word(&c->random);
        fathom_ptr there = own_room(to, c);
        fill_pattern(out, n, key);
        memset(back, 0, n);
        gas_handle h;
        switch (i % 5) {
        case 0: gas_put(there, out, n); break;
        case 1:
            h = gas_put_nb(there, out, n);
            gas_wait(&h);
            break;
        case 2:
            gas_put_nbi(there, out, n);
            gas_sync_puts();
            break;
        case 3:
            gas_region_begin();
            gas_put_nbi(there, out, n / 2);
            gas_put_nbi(there + n / 2, out + n / 2, n - n / 2);
            h = gas_region_end();
            while (!gas_test(&h)) {}
            break;
        default: {
            size_t half[] = {n / 2, n - n / 2};
            gas_put_indexed((fathom_ptr[]){there}, (const void *[]){out}, half[0], 1);
            gas_put_indexed((fathom_ptr[]){there + half[0]}, (const void *[]){out + half[0]}, half[1], 1);
        }
        }
        switch (random_below(&c->random, 3)) {
        case 0: gas_get(back, there, n); break;
        case 1:
            h = gas_get_nb(back, there, n);
            gas_wait(&h);
            break;
        default: gas_get_nbi(back, there, n); gas_sync();
        }
        PATTERN(back, n, key);
    }
    free(out), free(back);
}

CASE(pthreads_move_their_own_data_at_the_same_time) {
    area = everywhere((size_t)(count() * PTHREADS * ROOM));
    together_run(move);
    free_everywhere(area);
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

static void add(struct caller *c) {
    int64_t before = -1, one = 1;
    int n = times(500);
    for (int i = 0; i < n; i++) {
        int64_t old;
        gas_atomic(&old, on(0, area), GAS_I64, GAS_ADD, &one, NULL);
        ASSERT(old > before, "%" PRId64 " after %" PRId64, old, before);
        before = old;
        int to = (int)random_below(&c->random, (uint64_t)count());
        double half = 0.5;
        gas_atomic(NULL, on(to, area) + 8, GAS_F64, GAS_ADD, &half, NULL);
        gas_handle h = gas_atomic_nb(&old, on(count() - 1, area) + 16, GAS_U64, GAS_INC, NULL, NULL);
        gas_wait(&h);
    }
}

CASE(pthreads_atomics_add_up) {
    area = everywhere(64);
    memset(here(area), 0, 64);
    together_run(add);
    int64_t all = (int64_t)count() * PTHREADS * times(500), sum = gas_get_value(on(0, area), 8) ? all : 0;
    double mine_sum, halves = 0;
    memcpy(&mine_sum, (char *)here(area) + 8, sizeof mine_sum);
    gas_all_reduce(gas_world(), &halves, &mine_sum, 1, GAS_F64, GAS_ADD, 0);
    if (sum) {
        EQUAL(all, gas_get_value(on(0, area), 8));
        EQUAL(all, gas_get_value(on(count() - 1, area) + 16, 8));
        EQUAL(all, 2 * halves);
    }
    free_everywhere(area);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

enum { MESSAGES = 300, MEDIUM = 200 };
static int on_ask, on_told;
static int inside_handler;
static uint32_t *next_of;          /* by sending pthread of all threads: the number that comes next */
static uint32_t answers[PTHREADS]; /* of this process */

static void enters(void) { EQUAL(0, __atomic_fetch_add(&inside_handler, 1, __ATOMIC_RELAXED)); }
static void leaves(void) { __atomic_fetch_sub(&inside_handler, 1, __ATOMIC_RELAXED); }

static void ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    enters();
    uint32_t *next = &next_of[(uint64_t)gas_token_source(token) * PTHREADS + args[0]];
    EQUAL(*next, args[1]);
    ++*next;
    PATTERN(payload, bytes, args[1]);
    leaves();
    gas_reply_medium(token, on_told, payload, bytes, args, 2);
}

static void told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs;
    enters();
    PATTERN(payload, bytes, args[1]);
    __atomic_fetch_add(&answers[args[0]], 1, __ATOMIC_RELEASE);
    leaves();
}

static void ask_all(struct caller *c) {
    char data[MEDIUM];
    uint32_t want = 0;
    for (uint64_t i = 0; i < (uint64_t)times(MESSAGES); i++) {
        for (int t = 0; t < count(); t++) {
            size_t n = random_below(&c->random, MEDIUM);
            fill_pattern(data, n, i);
            uint64_t args[] = {(uint64_t)c->p, i};
            if (i % 4 == 3) {
                memcpy(gas_request_prepare(t, MEDIUM, 2), data, n);
                gas_request_commit(on_ask, n, args);
            } else if (i % 4 == 2) {
                while (!gas_try_request_medium(t, on_ask, data, n, args, 2)) {}
            } else {
                gas_request_medium(t, on_ask, data, n, args, 2);
            }
        }
        want += (uint32_t)count();
        /* Waits in both ways: spins in its own loop, and sleeps. */
        if (i % 3 == 0) WAIT_UNTIL(__atomic_load_n(&answers[c->p], __ATOMIC_ACQUIRE) == want);
        if (i % 3 == 1)
            while (__atomic_load_n(&answers[c->p], __ATOMIC_ACQUIRE) != want) gas_poll();
    }
    WAIT_UNTIL(__atomic_load_n(&answers[c->p], __ATOMIC_ACQUIRE) == want);
}

CASE(pthreads_messages_come_once_and_in_order_and_handlers_run_one_at_a_time) {
    on_ask = gas_register(ask), on_told = gas_register(told);
    next_of = calloc((size_t)(count() * PTHREADS), sizeof *next_of);
    memset(answers, 0, sizeof answers);
    together_run(ask_all);
    if (answers[0])
        for (int i = 0; i < count() * PTHREADS; i++) EQUAL(times(MESSAGES), next_of[i]);
    gas_barrier();
    free(next_of);
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* Pthreads 0 and 1 begin, 2 and 3 wait. */
struct begun {
    gas_handle h;
    uint64_t value;
    int full;
};
static struct begun begun[2][16];

static void hand_on(struct caller *c) {
    int n = times(1000);
    for (int i = 0; i < n; i++) {
        struct begun *b = &begun[c->p % 2][i % 16];
        if (c->p < 2) {
            WAIT_UNTIL(!__atomic_load_n(&b->full, __ATOMIC_ACQUIRE));
            int from = (int)random_below(&c->random, (uint64_t)count());
            b->value = (uint64_t)from;
            uint64_t *to = (uint64_t *)here(area) + 8 + (c->p * 16 + i % 16);
            b->h = gas_get_nb(to, on(from, area), 8);
            __atomic_store_n(&b->full, 1, __ATOMIC_RELEASE);
        } else {
            WAIT_UNTIL(__atomic_load_n(&b->full, __ATOMIC_ACQUIRE));
            if (i % 2)
                gas_wait(&b->h);
            else
                WAIT_UNTIL(gas_test(&b->h));
            EQUAL(b->value, ((uint64_t *)here(area))[8 + (c->p % 2 * 16 + i % 16)]);
            __atomic_store_n(&b->full, 0, __ATOMIC_RELEASE);
        }
    }
}

CASE(pthreads_wait_for_handles_that_others_got) {
    area = everywhere(8 * 64);
    *(uint64_t *)here(area) = (uint64_t)me();
    together_run(hand_on);
    free_everywhere(area);
}

/* ---- signals, and waits that depend on each other ---------------------------------------------------------------- */

/* Counter p of each thread goes round the ring of threads, for each pthread its own. */
static void pass_round(struct caller *c) {
    fathom_ptr mine_at = on(me(), area) + (fathom_ptr)(64 * c->p), next = on((me() + 1) % count(), area);
    next += (fathom_ptr)(64 * c->p);
    for (uint64_t i = 1; i <= (uint64_t)times(300); i++) {
        if (me() > 0) gas_wait_counter(mine_at, i);
        if (me() > 0) EQUAL(i * 7, ((uint64_t *)fathom_local(mine_at))[1]);
        gas_put_signal(next + 8, &(uint64_t){i * 7}, 8, next, 1);
        if (me() == 0) gas_wait_counter(mine_at, i);
    }
}

CASE(pthreads_wait_for_signals_each_for_its_own) {
    area = everywhere(64 * PTHREADS);
    memset(here(area), 0, 64 * PTHREADS);
    together_run(pass_round);
    free_everywhere(area);
}

/* All words are on this thread: each pthread waits for the one before it. */
static void hand_round_here(struct caller *c) {
    uint32_t *word = here(area), next = (uint32_t)(c->p + 1) % PTHREADS;
    for (uint32_t i = 1; i <= (uint32_t)times(300); i++) {
        fathom_ptr at = fathom_word(&word[16 * c->p]);
        if (c->p > 0 && i % 2)
            gas_flag_wait(at, i - 1);
        else if (c->p > 0 && i % 4)
            gas_wait_until(&(struct gas_condition){at, &i, GAS_U32, GAS_EQ});
        else if (c->p > 0)
            for (struct gas_condition want = {at, &i, GAS_U32, GAS_EQ}; !gas_test_until_all(&want, 1);) sched_yield();
        __atomic_store_n(&word[16 * next], i, __ATOMIC_RELEASE);
        gas_flag_wake(fathom_word(&word[16 * next]));
        if (c->p == 0) gas_wait_until(&(struct gas_condition){at, &i, GAS_U32, GAS_EQ});
    }
}

CASE(pthreads_of_one_process_wait_for_each_other) {
    area = everywhere(64 * PTHREADS);
    memset(here(area), 0, 64 * PTHREADS);
    together_run(hand_round_here);
    free_everywhere(area);
}

/* ---- fences ------------------------------------------------------------------------------------------------------ */

/* Data and then a flag, by puts that are ordered by a fence; a pthread of the next thread polls for the flag. */
static void publish(struct caller *c) {
    if (c->p > 1) { /* disturb */
        for (int i = 0; i < times(300); i++) gas_put(own_room(me(), c) + 64, &i, sizeof i), fathom_fence();
        return;
    }
    fathom_ptr next = on((me() + 1) % count(), area), own = on(me(), area);
    for (uint64_t i = 1; i <= (uint64_t)times(200); i++) {
        if (c->p == 0) {
            gas_put_value(next, i, 8);
            fathom_fence();
            gas_put_value(next + 8, i, 8);
            WAIT_UNTIL(gas_get_value(on((me() + 1) % count(), area) + 16, 8) == i);
        } else {
            uint64_t *here_at = fathom_local(own);
            WAIT_UNTIL(__atomic_load_n(&here_at[1], __ATOMIC_ACQUIRE) == i);
            EQUAL(i, __atomic_load_n(&here_at[0], __ATOMIC_RELAXED));
            gas_put_value(own + 16, i, 8);
        }
    }
}

CASE(pthreads_fences_order_puts) {
    area = everywhere((size_t)((count() * PTHREADS + 1) * ROOM));
    memset(here(area), 0, 64);
    together_run(publish);
    free_everywhere(area);
}

/* ---- locks, memory, teams ---------------------------------------------------------------------------------------- */

static void count_under_lock(struct caller *c) {
    (void)c;
    fathom_ptr lock = on(0, area), counter = on(0, area) + 64;
    for (int i = 0; i < times(100); i++) {
        if (i % 5)
            gas_lock(lock);
        else
            WAIT_UNTIL(gas_trylock(lock));
        uint64_t n = gas_get_value(counter, 8);
        if (i % 4 == 0) sched_yield(); /* so that others come meanwhile */
        gas_put_value(counter, n + 1, 8);
        gas_unlock(lock);
    }
}

CASE(pthreads_take_locks_in_turn) {
    area = everywhere(128);
    memset(here(area), 0, 128);
    together_run(count_under_lock);
    uint64_t n = gas_get_value(on(0, area) + 64, 8);
    ASSERT(n == 0 || n == (uint64_t)(count() * PTHREADS * times(100)), "%" PRIu64, n);
    free_everywhere(area);
}

static void allocate(struct caller *c) {
    struct {
        fathom_ptr at;
        size_t n;
        uint64_t key;
    } held[8] = {{0, 0, 0}};
    for (int i = 0; i < times(300); i++) {
        int k = (int)random_below(&c->random, 8);
        if (held[k].at) {
            PATTERN(fathom_local(held[k].at), held[k].n, held[k].key);
            gas_free(held[k].at);
        }
        held[k].n = random_below(&c->random, 3000) + 1;
        held[k].at = gas_alloc(held[k].n);
        held[k].key = random_word(&c->random);
        ASSERT(held[k].at, "no room");
        fill_pattern(fathom_local(held[k].at), held[k].n, held[k].key);
    }
    for (int k = 0; k < 8; k++) gas_free(held[k].at);
}

CASE(pthreads_allocate_at_the_same_time) { together_run(allocate); }

static gas_team teams[PTHREADS];

static void reduce(struct caller *c) {
    gas_team t = teams[c->p];
    for (int i = 0; i < times(60); i++) {
        int64_t in[40], out[40];
        for (int k = 0; k < 40; k++) in[k] = me() + c->p * 1000 + i + k;
        gas_all_reduce(t, out, in, 40, GAS_I64, GAS_ADD, 0);
        for (int k = 0; k < 40; k++)
            EQUAL((int64_t)count() * (c->p * 1000 + i + k) + count() * (count() - 1) / 2, out[k]);
        gas_team_barrier(t);
        int64_t from = i % count() == me() ? i * 10 + c->p : -1;
        gas_broadcast(t, &from, &from, sizeof from, i % count(), 0);
        EQUAL(i * 10 + c->p, from);
    }
}

CASE(pthreads_are_in_collective_calls_on_a_team_each) {
    for (int p = 0; p < PTHREADS; p++) teams[p] = gas_team_split(gas_world(), 0, me());
    together_run(reduce);
    for (int p = 0; p < PTHREADS; p++) gas_team_free(teams[p]);
}

/* Pthreads 0 and 1 begin, each on a team of its own; 2 and 3 wait, and so take both further. */
static struct {
    gas_handle h[3];
    int64_t sum, mine, before, big[2][700];
    int full;
} reductions[2][8];

static void begin_for_others(struct caller *c) {
    gas_team t = teams[c->p % 2];
    for (int i = 0; i < times(100); i++) {
        __typeof__(&reductions[0][0]) r = &reductions[c->p % 2][i % 8];
        if (c->p < 2) {
            WAIT_UNTIL(!__atomic_load_n(&r->full, __ATOMIC_ACQUIRE));
            r->mine = me() + i;
            for (int k = 0; k < 700; k++) r->big[0][k] = me() * k;
            r->h[0] = gas_all_reduce_nb(t, &r->sum, &r->mine, 1, GAS_I64, GAS_ADD);
            r->h[1] = gas_all_reduce_nb(t, r->big[1], r->big[0], 700, GAS_I64, GAS_ADD);
            r->before = 0;
            r->h[2] = gas_scan_nb(t, &r->before, &r->mine, 1, GAS_I64, GAS_ADD, 1);
            __atomic_store_n(&r->full, 1, __ATOMIC_RELEASE);
        } else {
            WAIT_UNTIL(__atomic_load_n(&r->full, __ATOMIC_ACQUIRE));
            if (i % 2)
                gas_wait_all(r->h, 3);
            else
                WAIT_UNTIL(gas_test_all(r->h, 3));
            EQUAL(count() * (count() - 1) / 2 + (int64_t)count() * i, r->sum);
            for (int k = 0; k < 700; k++) EQUAL((int64_t)count() * (count() - 1) / 2 * k, r->big[1][k]);
            EQUAL((int64_t)me() * (me() - 1) / 2 + (int64_t)me() * i, r->before);
            __atomic_store_n(&r->full, 0, __ATOMIC_RELEASE);
        }
    }
}

CASE(pthreads_wait_for_collectives_that_others_began) {
    for (int p = 0; p < 2; p++) teams[p] = gas_team_split(gas_world(), 0, me());
    together_run(begin_for_others);
    for (int p = 0; p < 2; p++) gas_team_free(teams[p]);
}

/* In a call that holds the gate while it looks. The last thread comes late; the others have nothing to do until then, and
 * between two sleeps use little processor time, whatever else the computer does. (Where messages ring no bell, who waits looks
 * again and again.) */
static void wait_long(struct caller *c) {
    if (c->p > 0) return;
    struct rusage before, after;
    int64_t sum, one = 1;
    getrusage(RUSAGE_THREAD, &before);
    for (int i = 0; i < 3; i++) {
        if (me() == count() - 1) usleep(300000);
        gas_handle h = gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
        gas_wait(&h);
        EQUAL(count(), sum);
    }
    getrusage(RUSAGE_THREAD, &after);
    double ms =
        (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1e3;
    ms +=
        (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec) /
        1e3;
    long sleeps = after.ru_nvcsw - before.ru_nvcsw;
    ASSERT(ms <= 5.0 * (double)(sleeps + 2), "%g ms of processor time, %ld sleeps", ms, sleeps);
}

CASE(pthreads_that_wait_for_long_in_a_blocking_call_sleep) {
    if (strcmp(gas_conduit(), "smp") == 0) together_run(wait_long);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

/* Where a conduit has no such level there is nothing to refuse, and the job ends as it should have. */
static void skip(const char *message) { gas_fatal("%s", message); }

static void *poll(void *nothing) {
    gas_poll();
    return nothing;
}

static void in_another(void *run(void *)) {
    pthread_t t;
    if (pthread_create(&t, NULL, run, NULL) != 0) gas_fatal("no POSIX thread");
    pthread_join(t, NULL);
}

ENDS(end_by_a_call_of_another_pthread_at_level_funneled, 1, 1,
     "fathom: thread [0-9]+: a POSIX thread other than the one that started the job calls, at level funneled: ask "
     "fathom_init_thread for FATHOM_THREAD_SERIALIZED or FATHOM_THREAD_MULTIPLE.*\\|") {
    if (!raise_level(GAS_THREAD_FUNNELED))
        skip("a POSIX thread other than the one that started the job calls, at level funneled: ask "
             "fathom_init_thread for FATHOM_THREAD_SERIALIZED or FATHOM_THREAD_MULTIPLE");
    gas_poll();
    in_another(poll);
}

/* A thread-specific object of the program's has a destructor that calls, when the runtime's own has run already: the POSIX
 * thread must not then have a number, and with it locks, that another one has been given meanwhile. */
static pthread_key_t late_key;
static uint32_t late_step;

static void late(void *nothing) {
    (void)nothing;
    gas_lock(on(me(), area));
    __atomic_store_n(&late_step, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&late_step, __ATOMIC_ACQUIRE) != 2) sched_yield();
    gas_unlock(on(me(), area));
}
static void *take_a_number(void *nothing) {
    gas_lock(on(me(), area) + 64);
    gas_unlock(on(me(), area) + 64);
    return nothing;
}
static void *end_late(void *nothing) {
    take_a_number(NULL);
    pthread_setspecific(late_key, &late_key);
    return nothing;
}
static void *try_the_lock(void *taken) {
    *(int *)taken = gas_trylock(on(me(), area));
    return NULL;
}

CASE(pthreads_that_end_call_until_their_last_destructor) {
    area = everywhere(128);
    memset(here(area), 0, 128);
    late_step = 0;
    gas_barrier();
    if (raise_level(GAS_THREAD_MULTIPLE)) {
        int taken = -1;
        pthread_t t;
        in_another(take_a_number);
        pthread_key_create(&late_key, late);
        if (pthread_create(&t, NULL, end_late, NULL) != 0) gas_fatal("no POSIX thread");
        WAIT_UNTIL(__atomic_load_n(&late_step, __ATOMIC_ACQUIRE) == 1);
        pthread_t other;
        if (pthread_create(&other, NULL, try_the_lock, &taken) != 0) gas_fatal("no POSIX thread");
        pthread_join(other, NULL);
        EQUAL(0, taken);
        __atomic_store_n(&late_step, 2, __ATOMIC_RELEASE);
        pthread_join(t, NULL);
        pthread_key_delete(late_key);
        gas_barrier();
        end_level();
    }
    free_everywhere(area);
}

CASE(pthreads_of_a_level_that_is_raised_and_never_lowered) {
    enum gas_thread_level most = GAS_THREAD_SINGLE;
    static const enum gas_thread_level asked[] = {GAS_THREAD_FUNNELED, GAS_THREAD_SINGLE,     GAS_THREAD_SERIALIZED,
                                                  GAS_THREAD_FUNNELED, GAS_THREAD_SERIALIZED, GAS_THREAD_MULTIPLE,
                                                  GAS_THREAD_SINGLE,   GAS_THREAD_SERIALIZED};
    gas_barrier();
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (core_gate_grants(asked[i]) > most) most = core_gate_grants(asked[i]);
        EQUAL(most, gas_start_threads(NULL, NULL, asked[i]));
        EQUAL(most, gas_thread_level());
        gas_barrier();
    }
    end_level();
}

/* Of a far object, where updates are gathered: nothing that these call would see the mistake. */
static void *update(void *nothing) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    fathom_far_update(on(count() - 1, area), FATHOM_UPDATE_I64, FATHOM_UPDATE_ADD, 1);
#endif
    return nothing;
}
static void *update_atomically(void *nothing) {
    gas_atomic_update(on(count() - 1, area), GAS_I64, GAS_ADD, &(int64_t){1}, NULL);
    return nothing;
}
static void update_in_another(void *run(void *)) {
    area = everywhere(8);
    if (me() == 0) {
        if (fathom_is_near(on(count() - 1, area)) || !raise_level(GAS_THREAD_FUNNELED))
            skip("a POSIX thread other than the one that started the job calls, at level funneled");
        if (!gas_outbox_is_on) gas_outbox_start(0, false);
        gas_updates_are_on = true;
        in_another(run);
        gas_fatal("it was not refused");
    }
    gas_barrier();
}

ENDS(end_by_an_update_of_another_pthread_at_level_funneled, 2, 1,
     "fathom: thread 0: a POSIX thread other than the one that started the job calls, at level funneled.*\\|") {
    update_in_another(update);
}
ENDS(end_by_an_atomic_update_of_another_pthread_at_level_funneled, 2, 1,
     "fathom: thread 0: a POSIX thread other than the one that started the job calls, at level funneled.*\\|") {
    update_in_another(update_atomically);
}

static void call_meanwhile(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    in_another(poll);
}

ENDS(end_by_two_calls_at_once_at_level_serialized, 1, 1,
     "fathom: thread 0: two POSIX threads of this process call at the same time, at level serialized.*\\|") {
    int handler = gas_register(call_meanwhile);
    gas_barrier();
    if (!raise_level(GAS_THREAD_SERIALIZED))
        skip("two POSIX threads of this process call at the same time, at level serialized");
    in_another(poll); /* in turn: allowed */
    if (me() == 0) gas_request_short(0, handler, NULL, 0);
    gas_barrier();
}

static void *barrier(void *nothing) {
    gas_barrier();
    return nothing;
}

ENDS(end_by_two_collective_calls_of_a_process_on_one_team, 2, 1,
     "fathom: thread 0: two POSIX threads of this process are in collective calls on one team at the same time.*\\|") {
    bool has = raise_level(GAS_THREAD_MULTIPLE);
    if (me() == 0 && !has)
        skip("two POSIX threads of this process are in collective calls on one team at the same time");
    pthread_t t;
    if (me() == 0 && pthread_create(&t, NULL, barrier, NULL) != 0) gas_fatal("no POSIX thread");
    if (me() == 0) gas_barrier(); /* the others never come */
    for (unsigned round = 0;;) gas_wait_hint(&round);
}

static gas_handle twice;
static void *wait_again(void *copy) {
    gas_wait(copy);
    return NULL;
}

ENDS(end_by_waiting_for_a_handle_in_two_pthreads, 2, 1,
     "fathom: thread 0: .*is not the handle of a transfer that this thread began and has not synchronised yet.*\\|") {
    area = everywhere(8);
    bool has = raise_level(GAS_THREAD_MULTIPLE);
    if (me() == 0) {
        uint64_t value;
        twice = gas_get_nb(&value, on(1, area), 8);
        gas_handle copy = twice;
        /* Near transfers are complete at once; then any other word is as good as a handle that was waited for. */
        if (twice == GAS_DONE) copy = (gas_handle)(uintptr_t)(1ull << 48 | 1ull << 32);
        if (!has) gas_wait(&copy);
        gas_wait(&twice);
        pthread_t t;
        if (pthread_create(&t, NULL, wait_again, &copy) != 0) gas_fatal("no POSIX thread");
        pthread_join(t, NULL);
    }
    for (unsigned round = 0;;) gas_wait_hint(&round);
}

ENDS(end_by_a_level_that_does_not_exist, 1, 1, "fathom: thread [0-9]+: no such level of threads \\(7\\).*\\|") {
    gas_start_threads(NULL, NULL, (enum gas_thread_level)7);
}

static void *start_again(void *nothing) {
    gas_start_threads(NULL, NULL, GAS_THREAD_MULTIPLE);
    return nothing;
}
ENDS(end_by_another_pthread_that_asks_for_a_level, 1, 1,
     "fathom: thread [0-9]+: fathom_init_thread is called again, by a POSIX thread other than the one that started the "
     "job: "
     "only that one may raise the level.*\\|") {
    in_another(start_again);
}
static void starts_again(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    start_again(NULL);
}
ENDS(end_by_a_handler_that_asks_for_a_level, 1, 1,
     "fathom: thread [0-9]+: fathom_init_thread from a handler: call it outside of handlers.*\\|") {
    int handler = gas_register(starts_again);
    gas_barrier();
    if (me() == 0) gas_request_short(0, handler, NULL, 0);
    gas_barrier();
}

static void *wait_for_nothing(void *nothing) {
    for (unsigned round = 0;;) gas_wait_hint(&round);
    return nothing;
}
#define SINGLE                                                                                                         \
    "fathom: thread [0-9]+: a POSIX thread other than the one that started the job calls, at level single: .*\\|"

ENDS(end_by_another_pthread_in_a_barrier_at_level_single, 1, 1, SINGLE) { in_another(barrier); }
ENDS(end_by_another_pthread_that_waits_at_level_single, 1, 1, SINGLE) { in_another(wait_for_nothing); }
static void on_nothing(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}
static void *register_one(void *nothing) {
    gas_register(on_nothing);
    return nothing;
}
static int nothing_handler;
static void *send_to_itself(void *nothing) {
    gas_request_short(me(), nothing_handler, NULL, 0);
    return nothing;
}
static void *begin_a_collective(void *nothing) {
    gas_team_barrier_nb(gas_world());
    return nothing;
}
static void *split(void *nothing) {
    gas_team_free(gas_team_split(gas_world(), 0, 0));
    return nothing;
}
ENDS(end_by_another_pthread_that_registers_at_level_single, 1, 1, SINGLE) { in_another(register_one); }
ENDS(end_by_another_pthread_that_handles_messages_at_level_single, 1, 1, SINGLE) {
    nothing_handler = gas_register(on_nothing);
    gas_barrier();
    in_another(send_to_itself);
}
ENDS(end_by_another_pthread_that_begins_a_collective_at_level_single, 1, 1, SINGLE) { in_another(begin_a_collective); }
ENDS(end_by_another_pthread_that_splits_a_team_at_level_single, 1, 1, SINGLE) { in_another(split); }

/* POSIX threads that are never joined, and call until the process is gone: whatever the conduit gives up in the end. */
static void *gets_for_ever(void *nothing) {
    for (char there[64];; usleep(1)) {
        gas_get(there, on(neighbour(1), area), sizeof there);
        gas_handle h = gas_put_nb(on(neighbour(1), area) + 64, there, sizeof there);
        gas_wait(&h);
    }
    return nothing;
}
static void *polls_for_ever(void *nothing) {
    for (;;) gas_poll();
    return nothing;
}
static void *waits_for_ever(void *nothing) {
    int64_t one = 1;
    gas_wait_until(&(struct gas_condition){on(me(), area), &one, GAS_I64, GAS_EQ});
    return nothing;
}
ENDS(end_while_other_pthreads_call, 1, 0, "") {
    void *(*const all[])(void *) = {gets_for_ever, polls_for_ever, waits_for_ever, gets_for_ever};
    area = everywhere(128);
    memset(here(area), 0, 128);
    gas_barrier();
    if (!raise_level(GAS_THREAD_MULTIPLE)) return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, all[i], NULL) != 0) gas_fatal("no POSIX thread");
        pthread_detach(t);
    }
    usleep(20000);
    gas_barrier();
}
