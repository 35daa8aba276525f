/* The yardstick of latency: a cache line that goes back and forth between two processors. Each direction has a line of its
 * own (ONE_LINE: both use the same), whose writer is the only one that ever writes it.
 */
#include "contender.h"

struct flag {
    _Alignas(128) uint64_t sent; /* messages, and 1 more than the last one's word */
};
static struct flag *flag;
static struct flag *mine, *theirs;
static uint64_t message, last;

static void create(int participants) { (void)participants, flag = shared(2 * sizeof *flag); }
static void open_(int me, int participants) {
    (void)participants;
#ifdef ONE_LINE
    mine = theirs = &flag[0], (void)me;
#else
    mine = &flag[me], theirs = &flag[1 - me];
#endif
}

static inline void *place(size_t bytes) { return (void)bytes, &message; }
#ifdef ONE_LINE
/* What has been sent on the line, by either side, before: so that a side does not take its own. */
static inline void commit(size_t bytes) {
    (void)bytes;
    last = ((last >> 32) + 1) << 32 | (uint32_t)message;
    __atomic_store_n(&mine->sent, last, __ATOMIC_RELEASE);
}
#else
static uint64_t sent;
static inline void commit(size_t bytes) {
    (void)bytes;
    __atomic_store_n(&mine->sent, (++sent << 32) | (uint32_t)message, __ATOMIC_RELEASE);
}
#endif
static inline const void *take(size_t bytes) {
    static uint64_t word;
    (void)bytes;
    while ((word = __atomic_load_n(&theirs->sent, __ATOMIC_ACQUIRE)) == last) {}
    last = word, word = (uint32_t)word;
    return &word;
}
static inline void done(void) {}

#include "loops.h"

const struct contender CONTENDER = {
#ifdef ONE_LINE
    .name = "one cache line",
#else
    .name = "cache line",
#endif
    .rows = ROUND_TRIPS,
    .most = 8,
    .create = create,
    .open = open_,
    LOOPS};
