/* Kernels of the area synchronisation: barriers of every kind that the runtime has, beside a few that it has not; a flag between
 * two threads; locks, alone and contended.
 *
 * A barrier's time is that of a loop of barriers at which all arrive together (SPP-1000 study, section 5). A contended lock's time
 * is that of one passage when every thread always wants it: from one thread's entry to the next one's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "lang/library.h"
#include "probe/rounds.h"

enum { ROUNDS = 10, MOST_THREADS = 1 << ROUNDS };

/* In the segment of every thread; of most, only thread 0's is used. */
struct shared {
    _Alignas(64) uint32_t flag;
    _Alignas(64) uint64_t lock[8];
    _Alignas(64) uint32_t stop;
    _Alignas(64) uint32_t arrived;
    _Alignas(64) uint32_t passed; /* the central barrier's */
    _Alignas(64) uint32_t taken;  /* the spin lock's */
    _Alignas(64) pthread_mutex_t mutex;
    _Alignas(64) pthread_barrier_t barrier;
    struct {
        _Alignas(64) uint32_t phase;
    } heard[ROUNDS]; /* the dissemination barrier's */
};
/* Copies of it, some pages apart: what a line costs depends on which line it is, where caches are spread over a chip, and so each
 * request has another copy. Every thread counts the requests, and so they agree.
 */
enum { COPIES = 16, APART = 8192 + 64 };
_Static_assert(sizeof(struct shared) <= APART, "copies do not overlap");
static fathom_ptr first_at, shared_at;

static fathom_ptr place(int thread, size_t offset) { return fathom_make(thread, fathom_offset_of(shared_at)) + offset; }
static struct shared *shared_of(int thread) { return fathom_local(place(thread, 0)); }

static bool all_near(void) {
    int near;
    gas_near(&near);
    return near == gas_count();
}

static void prepare_copy(void) {
    memset(shared_of(gas_me()), 0, sizeof(struct shared));
    if (gas_me() == 0) {
        pthread_mutexattr_t mutex;
        pthread_mutexattr_init(&mutex);
        pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&shared_of(0)->mutex, &mutex);
        pthread_barrierattr_t barrier;
        pthread_barrierattr_init(&barrier);
        pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&shared_of(0)->barrier, &barrier, (unsigned)gas_count());
    }
}

/* The copy of this request, on all threads. */
static void prepare(void) {
    static unsigned requests;
    if (!first_at) {
        first_at = gas_all_alloc((size_t)COPIES * APART);
        if (!first_at) gas_fatal("the prober has no memory");
        for (size_t i = 0; i < COPIES; i++) {
            shared_at = first_at + i * APART;
            prepare_copy();
        }
        gas_barrier();
    }
    shared_at = first_at + (size_t)(requests++ % COPIES) * APART;
}

/* Lets others run after as many looks as the runtime takes. */
static void look_again(unsigned turn) {
    if (turn < (is_crowded() ? 20 : 2000))
        pause_briefly();
    else
        sched_yield();
}

static void wait_until(const uint32_t *word, uint32_t value) {
    for (unsigned turn = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) != value; turn++) look_again(turn);
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

static gas_team members; /* of the team barrier */
static long between;     /* additions between notify and wait */

static void world_barriers(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) gas_barrier();
}

static void split_barriers(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) {
        gas_barrier_notify();
        work(between);
        gas_barrier_wait();
    }
}

static void only_work(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) work(between);
}

static void team_barriers(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) gas_team_barrier(members);
}

static void posix_barriers(void *argument, long n) {
    (void)argument;
    pthread_barrier_t *barrier = &shared_of(0)->barrier;
    for (long i = 0; i < n; i++) pthread_barrier_wait(barrier);
}

/* One counter for all: the last to come lets the others pass. */
static void central_barriers(void *argument, long n) {
    (void)argument;
    struct shared *s = shared_of(0);
    uint32_t all = (uint32_t)gas_count();
    for (long i = 0; i < n; i++) {
        uint32_t passed = __atomic_load_n(&s->passed, __ATOMIC_RELAXED);
        if (__atomic_add_fetch(&s->arrived, 1, __ATOMIC_ACQ_REL) == all) {
            __atomic_store_n(&s->arrived, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&s->passed, passed + 1, __ATOMIC_RELEASE);
        } else {
            wait_until(&s->passed, passed + 1);
        }
    }
}

/* A flag in every thread's memory for each round: in round k the one 2^k further is told. Who is told the phase has nobody before
 * him that is less far, so that a flag that is ahead is as good.
 */
static void dissemination_barriers(void *argument, long n) {
    static uint32_t phase;
    (void)argument;
    for (long i = 0; i < n; i++) {
        phase++;
        for (int k = 0; 1 << k < gas_count(); k++) {
            __atomic_store_n(&shared_of((gas_me() + (1 << k)) % gas_count())->heard[k].phase, phase, __ATOMIC_RELEASE);
            const uint32_t *mine = &shared_of(gas_me())->heard[k].phase;
            for (unsigned turn = 0; (int32_t)(__atomic_load_n(mine, __ATOMIC_ACQUIRE) - phase) < 0; turn++)
                look_again(turn);
        }
    }
}

/* The same over active messages: what a conduit has that overrides nothing. */
static uint64_t told[ROUNDS]; /* how often, by round */

static void on_told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    told[args[0]]++;
}

static void message_barriers(void *argument, long n) {
    static uint64_t phase;
    int handler = *(int *)argument;
    for (long i = 0; i < n; i++) {
        phase++;
        for (int k = 0; 1 << k < gas_count(); k++) {
            gas_request_short((gas_me() + (1 << k)) % gas_count(), handler, &(uint64_t){(uint64_t)k}, 1);
            for (unsigned round = 0; ((volatile uint64_t *)told)[k] < phase;) gas_wait_hint(&round);
        }
    }
}

/* `barrier kind=KIND`, for split also `work_ns=`: what is done between notify and wait, and subtracted. For team `members=`: the
 * first so many threads; the others sleep.
 */
static void barrier_kernel(const struct request *request, struct reply *reply) {
    static int handler;
    if (!handler) {
        handler = gas_register(on_told);
        gas_barrier();
    }
    static const struct {
        const char *name;
        void (*body)(void *, long);
        bool is_near; /* needs memory that all share */
    } kinds[] = {
        {"world", world_barriers, false},
        {"split", split_barriers, false},
        {"team", team_barriers, false},
        {"messages", message_barriers, false},
        {"posix", posix_barriers, true},
        {"central", central_barriers, true},
        {"dissemination", dissemination_barriers, true},
    };
    prepare();
    place_crowd();
    const char *name = request_word(request, "kind", "world");
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, name) != 0) kind++;
    if (kind == sizeof kinds / sizeof *kinds) {
        reply_error(reply, "there is no barrier of the kind `%.40s`", name);
        return;
    }
    if (kinds[kind].is_near && !all_near()) {
        reply_impossible(reply, REASON_APART, "the threads do not share memory");
        return;
    }
    int size = (int)request_number(request, "members", gas_count());
    if (kinds[kind].body != team_barriers || size == gas_count()) {
        members = gas_world();
    } else if (size < 1 || size > gas_count()) {
        reply_error(reply, "a team of %d of %d threads", size, gas_count());
        return;
    } else {
        members = gas_team_split(gas_world(), gas_me() < size ? 0 : -1, gas_me());
        if (!members) return;
    }
    between = kinds[kind].body == split_barriers ? work_of_ns((double)request_number(request, "work_ns", 0)) : 0;
    sample_rounds(request, reply, members, kinds[kind].body, between ? only_work : NULL, &handler);
    if (members != gas_world()) gas_team_free(members);
}

/* ---- a flag ------------------------------------------------------------------------------------------------------ */

static bool is_sleeping;
static uint32_t flag_turn;

/* Each thread waits on a word of its own and writes the other's. n hand-overs in all. */
static void hand_over(void *argument, long n) {
    uint32_t turn = flag_turn;
    (void)argument;
    int me = gas_me(), other = 1 - me;
    uint32_t *mine = &shared_of(me)->flag, *theirs = &shared_of(other)->flag;
    if (me > 1) return;
    for (long i = 0; i < (n + 1) / 2; i++, turn++) {
        if (me == 0) __atomic_store_n(theirs, turn + 1, __ATOMIC_RELEASE);
        if (me == 0 && is_sleeping) gas_flag_wake(place(other, offsetof(struct shared, flag)));
        if (is_sleeping)
            gas_flag_wait(place(me, offsetof(struct shared, flag)), turn);
        else
            wait_until(mine, turn + 1);
        if (me == 1) __atomic_store_n(theirs, turn + 1, __ATOMIC_RELEASE);
        if (me == 1 && is_sleeping) gas_flag_wake(place(other, offsetof(struct shared, flag)));
    }
    flag_turn = turn;
}

/* `flag`: from thread 0's or 1's write to the other's having read it. `flag wait=gas`: by gas_flag_wait and gas_flag_wake. */
static void flag_kernel(const struct request *request, struct reply *reply) {
    prepare();
    if (gas_count() < 2 || !all_near()) {
        if (gas_count() < 2)
            reply_impossible(reply, REASON_THREADS, "there is one thread only");
        else
            reply_impossible(reply, REASON_APART, "the threads do not share memory");
        return;
    }
    place_crowd();
    is_sleeping = strcmp(request_word(request, "wait", "spin"), "gas") == 0;
    shared_of(gas_me())->flag = flag_turn;
    gas_barrier();
    sample_rounds(request, reply, gas_world(), hand_over, NULL, NULL);
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

enum lock_kind { GAS, UPC, POSIX, SPIN };
static enum lock_kind lock_kind;
static fathom_ptr lock_at;
static long inside, outside; /* additions while the lock is held, and until it is wanted again */

static inline void take(void) {
    switch (lock_kind) {
    case GAS: gas_lock(lock_at); break;
    case UPC: upc_lock(lock_at); break;
    case POSIX: pthread_mutex_lock(&shared_of(0)->mutex); break;
    case SPIN:
        for (unsigned turn = 0; __atomic_exchange_n(&shared_of(0)->taken, 1, __ATOMIC_ACQUIRE);)
            while (__atomic_load_n(&shared_of(0)->taken, __ATOMIC_RELAXED)) look_again(turn++);
    }
}

static inline void release(void) {
    switch (lock_kind) {
    case GAS: gas_unlock(lock_at); break;
    case UPC: upc_unlock(lock_at); break;
    case POSIX: pthread_mutex_unlock(&shared_of(0)->mutex); break;
    case SPIN: __atomic_store_n(&shared_of(0)->taken, 0, __ATOMIC_RELEASE);
    }
}

static void passages(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) {
        take();
        work(inside);
        release();
        work(outside);
    }
}

/* n of all threads together. */
static void divided_passages(void *argument, long n) { passages(argument, (n + gas_me()) / gas_count()); }

static bool choose_lock(const struct request *request, struct reply *reply) {
    static const char *const names[] = {"gas", "upc", "posix", "spin"};
    prepare();
    const char *name = request_word(request, "kind", "gas");
    long owner = request_number(request, "owner", 0);
    size_t kind = 0;
    while (kind < 4 && strcmp(names[kind], name) != 0) kind++;
    if (kind == 4 || owner < 0 || owner >= gas_count()) {
        reply_error(reply, "there is no lock of the kind `%.40s` on thread %ld", name, owner);
        return false;
    }
    if (kind > UPC && !all_near()) {
        reply_impossible(reply, REASON_APART, "the threads do not share memory");
        return false;
    }
    lock_kind = (enum lock_kind)kind;
    if (lock_kind == UPC) {
        static fathom_ptr made[MOST_THREADS];
        if (!made[owner]) {
            fathom_ptr mine = gas_me() == owner ? upc_global_lock_alloc() : 0;
            gas_broadcast(gas_world(), &mine, &mine, sizeof mine, (int)owner, 0);
            made[owner] = mine;
        }
        lock_at = made[owner];
    } else {
        lock_at = place((int)owner, offsetof(struct shared, lock));
    }
    return true;
}

/* `lock_alone kind=KIND owner=THREAD`: taking and releasing a lock that nobody else wants. */
static void lock_alone_kernel(const struct request *request, struct reply *reply) {
    if (!choose_lock(request, reply) || gas_me() != 0) return;
    inside = outside = 0;
    sample(request, reply, passages, NULL, NULL);
}

static uint64_t passed; /* by this thread, in the round */

/* Until thread 0 has had n turns: that ends for all at once, so that the lock is contended to the last. */
static void contended(void *argument, long n) {
    (void)argument;
    uint32_t *stop = &shared_of(0)->stop;
    static uint32_t round;
    round++;
    for (passed = 0; gas_me() == 0 ? passed < (uint64_t)n : __atomic_load_n(stop, __ATOMIC_RELAXED) != round; passed++)
        passages(NULL, 1);
    if (gas_me() == 0) __atomic_store_n(stop, round, __ATOMIC_RELEASE);
}

/* `lock kind=KIND hold_ns= outside_ns=`: a passage, all threads wanting the lock. What is done inside is part of it; facts: `hold_ns`
 * as it came out, `least_share`: the passages of the thread that had the fewest over the mean, `jain`: the fairness index, 1 if all
 * had as many and 1/threads if one had all.
 */
static void lock_kernel(const struct request *request, struct reply *reply) {
    if (!choose_lock(request, reply)) return;
    place_crowd();
    inside = work_of_ns((double)request_number(request, "hold_ns", 0));
    outside = work_of_ns((double)request_number(request, "outside_ns", 0));
    reply_fact(reply, "hold_ns", ns_of_work(inside));
    if (!all_near()) { /* nobody can look at the others' memory: as many passages each */
        sample_rounds(request, reply, gas_world(), divided_passages, NULL, NULL);
        return;
    }
    int samples = request_samples(request), threads = gas_count();
    double limit_ns = request_limit_s(request) * 1e9, start = now_ns();
    double wanted_ns = (is_crowded() ? 10e6 : 1e6);
    if (wanted_ns > limit_ns / (samples + 1)) wanted_ns = limit_ns / (samples + 1);
    double least_share = 0, jain = 0;
    int taken = 0;
    uint64_t n = 1, counts[MOST_THREADS];
    for (bool is_calibrated = false;;) {
        gas_broadcast(gas_world(), &n, &n, sizeof n, 0, 0);
        if (n == 0) break;
        gas_barrier();
        double from = now_ns();
        contended(NULL, (long)n);
        double ns = now_ns() - from;
        gas_gather(gas_world(), counts, &passed, sizeof passed, 0, 0);
        if (gas_me() != 0) continue;
        if (!is_calibrated && ns < wanted_ns / 2 && n < 1 << 24 && now_ns() - start < limit_ns / 2) {
            double factor = wanted_ns / (ns + 1) * 1.02;
            n = (uint64_t)((double)n * (factor < 16 ? factor : 16)) + 1;
            continue;
        }
        if (!is_calibrated) {
            is_calibrated = true;
            continue;
        }
        double sum = 0, squares = 0, least = (double)counts[0];
        for (int t = 0; t < threads; t++) {
            double c = (double)counts[t];
            sum += c;
            squares += c * c;
            if (c < least) least = c;
        }
        reply_sample(reply, ns / sum);
        least_share += least * threads / sum;
        jain += sum * sum / (threads * squares);
        if (++taken >= samples || now_ns() - start >= limit_ns) n = 0;
    }
    reply_fact(reply, "least_share", taken ? least_share / taken : 0);
    reply_fact(reply, "jain", taken ? jain / taken : 0);
}

const struct kernel kernels_synchronisation[] = {{"barrier", barrier_kernel},
                                                 {"flag", flag_kernel},
                                                 {"lock_alone", lock_alone_kernel},
                                                 {"lock", lock_kernel},
                                                 {NULL, NULL}};
