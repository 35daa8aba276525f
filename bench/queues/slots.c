/* The yardstick of many senders who are received from: nothing but what Express has to do. Each sender has a ring of slots of its own, and
 * fills each by a compare-and-swap of 16 bytes; the receiver reads every slot, and now and then says how far it is. No
 * bell, no calls, no checks, no other kinds of messages, one size for all. As much room as Basic has (basic.c).
 */
#include "contender.h"

#include <stdbool.h>

enum { SLOTS = (1 << 20) / 16, TURN = 64, MOST_SENDERS = 8 };
struct ring {
    _Alignas(128) uint64_t taken;
    _Alignas(128) unsigned __int128 slot[SLOTS];
};
static struct ring *rings, *mine, *back;
static int senders;
static uint64_t message, sent, room = SLOTS;

static void create(int participants) { (void)participants, rings = shared((MOST_SENDERS + 1) * sizeof *rings); }
static void open_(int me, int participants) {
    senders = participants - 1;
    mine = &rings[me ? me - 1 : MOST_SENDERS]; /* participant 0 answers in a ring of its own */
    back = &rings[MOST_SENDERS];
}

static inline void *place(size_t bytes) { return (void)bytes, &message; }
static inline void commit(size_t bytes) {
    (void)bytes;
    int tries = 0;
    while (sent == room)
        if ((room = __atomic_load_n(&mine->taken, __ATOMIC_ACQUIRE) + SLOTS) == sent) idle(&tries);
    uint64_t *half = (uint64_t *)&mine->slot[sent % SLOTS], low = half[0], high = half[1];
    unsigned char swapped;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(swapped), "+m"(mine->slot[sent % SLOTS]), "+a"(low), "+d"(high)
                     : "b"(sent / SLOTS + 1), "c"(message)
                     : "memory");
    if (!swapped) errno = EBUSY, die("a slot");
    sent++;
}

/* The next word of a ring; false: there is none. */
static inline bool next_of(struct ring *r, uint64_t *at, uint64_t *word) {
    const uint64_t *half = (const uint64_t *)&r->slot[*at % SLOTS];
    if (__atomic_load_n(&half[0], __ATOMIC_ACQUIRE) != *at / SLOTS + 1) return false;
    *word = __atomic_load_n(&half[1], __ATOMIC_RELAXED);
    if (++*at % TURN == 0) __atomic_store_n(&r->taken, *at, __ATOMIC_RELEASE);
    return true;
}
static inline const void *take(size_t bytes) {
    static uint64_t at[MOST_SENDERS + 1], word;
    static int turn;
    (void)bytes;
    if (mine != back) {
        while (!next_of(back, &at[MOST_SENDERS], &word)) {}
        return &word;
    }
    for (int tries = 0, vain = 0;;) {
        if (next_of(&rings[turn], &at[turn], &word)) {
            if (at[turn] % TURN == 0 && ++turn == senders) turn = 0;
            return &word;
        }
        if (++turn == senders) turn = 0;
        if (++vain % senders == 0) idle(&tries);
    }
}
static inline void done(void) {}

#include "loops.h"

const struct contender CONTENDER = {.name = "compare-and-swap, read",
                                    .rows = ROUND_TRIPS | STREAM | SENDERS,
                                    .most = 8,
                                    .create = create,
                                    .open = open_,
                                    LOOPS};
