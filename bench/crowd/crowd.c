/* Barriers and locks of any number of threads, beside what one writes by hand in the same processes on the same memory.
 * Threads may have a core each, or share them; FATHOM_CORES tells the runtime, and the barriers by hand, how many there
 * are. What is compared waits alike: it spins for a while where there is a core for each thread, else hardly at all,
 * and then yields.
 *
 *     FATHOM_THREADS=8 crowd BATCHES BATCH_US [ROW...]       as the programs of bench/comm (side.h)
 */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "../comm/side.h"
#include "gas.h"

/* As the compiler calls them; upc.h is UPC. */
fathom_ptr upc_all_lock_alloc(void);
void upc_lock(fathom_ptr lock);
void upc_unlock(fathom_ptr lock);

enum { MOST = 768, FAN_IN = 4 };

static int me, count;
static unsigned spins;

/* One turn of waiting. */
static void turn(unsigned *i) {
    if (++*i < spins) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    } else {
        sched_yield();
    }
}

struct line {
    _Alignas(128) uint32_t word;
};

struct shared {
    struct line count, generation; /* the barrier with one counter */
    struct {
        _Alignas(128) uint32_t child[FAN_IN];
        _Alignas(128) uint32_t released;
    } place[MOST];              /* the tree: one for each thread */
    _Alignas(128) uint64_t sum; /* what the locks guard */
    struct {
        _Alignas(128) uint32_t next, serving;
    } ticket;
    _Alignas(128) pthread_mutex_t mutex;
    _Alignas(128) uint64_t lock[8];
};
static struct shared *all;
static fathom_ptr fair, lock_of_upc;
static uint32_t phase;
static long done;

static void by_us(long n) {
    for (long i = 0; i < n; i++) gas_barrier();
}

static void by_counter(long n) {
    for (long i = 0; i < n; i++) {
        uint32_t before = __atomic_load_n(&all->generation.word, __ATOMIC_RELAXED);
        if (__atomic_add_fetch(&all->count.word, 1, __ATOMIC_ACQ_REL) == (uint32_t)count) {
            __atomic_store_n(&all->count.word, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&all->generation.word, before + 1, __ATOMIC_RELEASE);
        } else {
            for (unsigned t = 0; __atomic_load_n(&all->generation.word, __ATOMIC_ACQUIRE) == before;) turn(&t);
        }
    }
}

/* Mellor-Crummey and Scott's tree (1991, algorithm 11): a thread waits for its up to four children, tells its parent, waits
 * for its release, and releases its two children of another tree. Not split: those who wait do the work. */
static void by_tree(long n) {
    int parent = (me - 1) / FAN_IN, slot = (me - 1) % FAN_IN;
    int children = count - FAN_IN * me - 1;
    if (children > FAN_IN) children = FAN_IN;
    for (long i = 0; i < n; i++) {
        phase++;
        unsigned t = 0;
        for (int c = 0; c < children; c++)
            while (__atomic_load_n(&all->place[me].child[c], __ATOMIC_ACQUIRE) != phase) turn(&t);
        t = 0;
        if (me) {
            __atomic_store_n(&all->place[parent].child[slot], phase, __ATOMIC_RELEASE);
            while (__atomic_load_n(&all->place[me].released, __ATOMIC_ACQUIRE) != phase) turn(&t);
        }
        for (int c = 2 * me + 1; c <= 2 * me + 2 && c < count; c++)
            __atomic_store_n(&all->place[c].released, phase, __ATOMIC_RELEASE);
    }
}

/* ---- locks: n sections by each thread -------------------------------------------------------------------------- */

static bool all_take_it;
static void one_takes(const struct side_row *row) {
    (void)row;
    all_take_it = false;
}
static void all_take(const struct side_row *row) {
    (void)row;
    all_take_it = true;
}

static void section(void) {
    all->sum++;
    done++;
}

/* Where all take the lock the time is that of the last to end: a lock that is not fair may serve thread 0 first. */
#define LOCK(name, lock, unlock)                                                                                       \
    static void name(long n) {                                                                                         \
        for (long i = 0; i < n; i++) {                                                                                 \
            lock;                                                                                                      \
            section();                                                                                                 \
            unlock;                                                                                                    \
        }                                                                                                              \
        if (all_take_it) gas_barrier();                                                                                \
    }
LOCK(with_upc_lock, upc_lock(lock_of_upc), upc_unlock(lock_of_upc))
LOCK(with_gas_lock, gas_lock(fair), gas_unlock(fair))
LOCK(with_mutex, pthread_mutex_lock(&all->mutex), pthread_mutex_unlock(&all->mutex))

static void ticket_lock(void) {
    uint32_t mine = __atomic_fetch_add(&all->ticket.next, 1, __ATOMIC_RELAXED);
    for (unsigned t = 0; __atomic_load_n(&all->ticket.serving, __ATOMIC_ACQUIRE) != mine;) turn(&t);
}
static void ticket_unlock(void) { __atomic_store_n(&all->ticket.serving, all->ticket.serving + 1, __ATOMIC_RELEASE); }
LOCK(with_ticket, ticket_lock(), ticket_unlock())

static int nothing_lost(void) {
    int64_t total = 0, mine = done;
    gas_all_reduce(gas_world(), &total, &mine, 1, GAS_I64, GAS_ADD, 0);
    return all->sum == (uint64_t)total;
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

#define BARRIER(side, work)                                                                                            \
    { "barrier", side, work, SIDE_BOTH, 0, NULL, NULL, 0 }
#define LOCKS(row, who, prepare)                                                                                       \
    {row, "upc_lock", with_upc_lock, who, 0, prepare, nothing_lost, 0},                                                \
        {row, "gas_lock", with_gas_lock, who, 0, prepare, nothing_lost, 0},                                            \
        {row, "mutex", with_mutex, who, 0, prepare, nothing_lost, 0}, {                                                \
        row, "ticket", with_ticket, who, 0, prepare, nothing_lost, 0                                                   \
    }
static const struct side_row rows[] = {
    BARRIER("fathom", by_us),           BARRIER("tree", by_tree),
    BARRIER("counter", by_counter),     LOCKS("lock alone", SIDE_FIRST, one_takes),
    LOCKS("lock", SIDE_BOTH, all_take),
};

static long agree(long mine) {
    int64_t value = mine;
    gas_broadcast(gas_world(), &value, &value, sizeof value, 0, 0);
    return (long)value;
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    me = gas_me(), count = gas_count();
    const char *cores = getenv("FATHOM_CORES");
    spins = count <= (cores ? atoi(cores) : (int)sysconf(_SC_NPROCESSORS_ONLN)) ? 2000 : 20;
    fathom_ptr mine = gas_all_alloc(sizeof *all);
    if (!mine) gas_fatal("no room for %zu bytes of shared memory; set FATHOM_HEAP", sizeof *all);
    all = fathom_local(fathom_make(0, fathom_offset_of(mine)));
    fair = fathom_make(0, fathom_offset_of(mine)) + offsetof(struct shared, lock);
    if (me == 0) {
        memset(all, 0, sizeof *all);
        pthread_mutexattr_t shared;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&all->mutex, &shared);
    }
    lock_of_upc = upc_all_lock_alloc();
    gas_barrier();
    struct side side = {.me = me, .barrier = gas_barrier, .agree = agree, .unbound = 1};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);
    return 0;
}
