/* The yardstick of many senders: one atomic operation after the other on one word, by all processes at a time. Built with
 * SWAP: a compare-and-swap of 16 bytes that succeeds (what Express does to send), else a fetch-and-add of 8.
 */
#include "contender.h"

static unsigned __int128 *word;

static void create(int participants) { (void)participants, word = shared(128); }

static void together(long n) {
#ifdef SWAP
    uint64_t *half = (uint64_t *)word, low = half[0], high = half[1];
    for (long i = 0; i < n; i++)
        for (;;) {
            uint64_t next = low + 1;
            unsigned char swapped;
            __asm__ volatile("lock cmpxchg16b %1"
                             : "=@ccz"(swapped), "+m"(*word), "+a"(low), "+d"(high)
                             : "b"(next), "c"(high)
                             : "memory");
            if (swapped) {
                low = next;
                break;
            }
        }
#else
    for (long i = 0; i < n; i++) __atomic_fetch_add((uint64_t *)word, 1, __ATOMIC_ACQ_REL);
#endif
}

const struct contender CONTENDER = {
#ifdef SWAP
    .name = "compare-and-swap",
    .together_row = "compare-and-swap %d",
#else
    .name = "fetch-and-add",
    .together_row = "fetch-and-add %d",
#endif
    .create = create,
    .together = together};
