/* Kernels of the area sharing: single cache lines that two threads want at once.
 *
 *     ping_pong       lines=1|2               a word that goes there and back; by two lines, one for each direction
 *     false_sharing   distance_bytes=64       adding to a counter, beside another's that is so far away
 *
 * Both take `processor=` and `other_processor=`, by which a matrix of all cores is measured with two threads.
 */
#include "probe/sharing.h"

#include <stdatomic.h>

#define LINES_AT ((size_t)1 << 20) /* behind the array of the passes */
#define APART 4096                 /* bytes between the words of two lines */
#define SPINS 20000

typedef _Atomic uint64_t word;

static word *there, *back; /* the same word if there is one line */
static uint64_t said;

/* How far a line is depends on which line it is, where caches are spread over a chip: each request has others. Every thread counts
 * the requests, and so they agree.
 */
enum { DRAWS = 64 };
static unsigned draw;

static word *word_at(size_t offset) {
    return fathom_local(together_memory(0) + LINES_AT + draw % DRAWS * 4 * APART + offset);
}

/* False: nothing was heard for so long that others may need this core, or have something to say. */
static bool hear(word *at, uint64_t wanted) {
    for (int i = 0; i < SPINS; i++)
        if (atomic_load_explicit(at, memory_order_acquire) == wanted) return true;
    return false;
}

static void ping(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) {
        unsigned round = 0;
        atomic_store_explicit(there, ++said, memory_order_release);
        ++said;
        while (!hear(back, said)) gas_wait_hint(&round);
    }
}

/* The other's work. */
static void pong(void) {
    while (hear(there, said + 1)) {
        said += 2;
        atomic_store_explicit(back, said, memory_order_release);
    }
}

static bool is_near(struct reply *reply) {
    if (gas_is_local(1)) return true;
    reply_impossible(reply, REASON_APART, "thread 1 does not share memory with thread 0");
    return false;
}

void ping_pong_kernel(const struct request *request, struct reply *reply) {
    draw++;
    long lines = request_number(request, "lines", 1);
    if (lines != 1 && lines != 2) {
        reply_error(reply, "`lines` must be 1 or 2, not %ld", lines);
        return;
    }
    if (!together_begin(request, reply, 1, 1, TOGETHER_ANYWHERE)) return;
    said = 0;
    there = word_at(0);
    back = lines == 1 ? there : word_at(APART);
    if (gas_me() == 0) {
        atomic_store(there, 0);
        atomic_store(back, 0);
    }
    if (!together_directs(pong)) return;
    if (is_near(reply)) {
        together_start(1, 0, 0);
        together_settle();
        sample(request, reply, ping, NULL, NULL);
        together_stop(1);
        together_settle();
    }
    together_end();
}

/* ---- false sharing ----------------------------------------------------------------------------------------------- */

static word *counter;

static void add(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static void add_some(void) { add(NULL, 1000); }

void false_sharing_kernel(const struct request *request, struct reply *reply) {
    draw++;
    long distance = request_number(request, "distance_bytes", 64);
    if (distance < 8 || distance > APART || distance % 8) {
        reply_error(reply, "`distance_bytes` must be a multiple of 8 from 8 to %d, not %ld", APART, distance);
        return;
    }
    if (!together_begin(request, reply, 1, 1, TOGETHER_ANYWHERE)) return;
    counter = word_at(2 * APART + (gas_me() == 0 ? 0 : (size_t)distance));
    if (!together_directs(add_some)) return;
    if (is_near(reply)) {
        together_start(1, 0, 0);
        together_settle();
        sample(request, reply, add, NULL, NULL);
        together_stop(1);
        together_settle();
    }
    together_end();
}
