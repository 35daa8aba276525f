/* An endpoint's bell: which queues and lanes may have messages, and who sleeps. tests/protocols/msg_poll.pml is the model.
 *
 * A sender publishes, fences, and then looks at two bits, its lane's and its queue's, and sets those that are clear. A
 * receiver that has found nothing clears a bit, fences, and looks once more. Between the two steps of each side is a fence, so
 * that one of them sees what the other has done. Who sets a bit again, having found something, wakes sleepers as a sender
 * does: another thread may have looked while the bit was clear, and gone to sleep.
 *
 * All senders of an endpoint write its bell. One that writes nonsense delays others' messages: see poll.c for how long.
 */
#ifndef MSG_BELL_H
#define MSG_BELL_H

#include "msg/layout.h"

/* Wakes all that sleep, unless another does; out of the way of messages to those who do not sleep. */
void bell_wake(struct msg_bell *b);
void bell_signal(int event);      /* an eventfd of this process alone */
void bell_signal_peer(int event); /* what a receiver has handed over; never waits */
void bell_room(struct msg_in *in);
/* Sleeps while the word is `old`, at most so long. */
void bell_sleep(const uint32_t *word, uint32_t old, int ms);

static inline bool bell_is_set(const uint64_t *set, unsigned i) {
    return __atomic_load_n(&set[i / 64], __ATOMIC_ACQUIRE) >> i % 64 & 1;
}

/* Whoever finds a bit set leaves what follows (waking) to whoever set it, or sees it done: so the fence is only for setting. */
static inline void bell_set(uint64_t *set, unsigned i) {
    if (__builtin_expect(bell_is_set(set, i), 1)) return;
    __atomic_fetch_or(&set[i / 64], 1ull << i % 64, __ATOMIC_ACQ_REL);
    msg_fence_behind_swap();
}

static inline void bell_clear(uint64_t *set, unsigned i) {
    __atomic_fetch_and(&set[i / 64], ~(1ull << i % 64), __ATOMIC_ACQ_REL);
    msg_fence_behind_swap();
}

/* Behind a fence that follows the publishing. */
static inline void bell_tell(struct msg_bell *b, unsigned queue, unsigned lane) {
    bell_set(b->from[queue], lane);
    bell_set(b->ready, queue);
    if (__builtin_expect(__atomic_load_n(&b->asleep, __ATOMIC_RELAXED), 0)) bell_wake(b);
}

#endif
