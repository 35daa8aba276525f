/* Which threads are inside a call: so a lane or a row that has ended is freed when no thread can be using it (retire.c).
 *
 * Each thread has a word of its own: odd while it is inside, and larger after each call. Entering is a store without a
 * fence; whoever wants to free pays for it, by membarrier(2). tests/protocols/msg_retire.pml is the model. (Entering continues the release
 * sequence of the last leaving, C17 5.1.2.4 p10: so a thread that sees the word of a later call sees what was done in the earlier one,
 * too: tests/protocols/msg_disconnect.pml.)
 *
 * A call from a signal handler that has interrupted another call changes nothing: the thread stays inside until the outer call
 * returns. The words are of the process and not of an endpoint, because a call must find its thread's in one step.
 */
#ifndef MSG_INSIDE_H
#define MSG_INSIDE_H

#include "msg/atomics.h"

struct msg_caller {
    _Alignas(128) uint64_t word;
    uint64_t seen;           /* retire.c: at the beginning of the grace period */
    uint32_t used;           /* by a thread that lives */
    struct msg_caller *next; /* they are never freed */
};

/* Null: this thread has made no call yet. */
extern _Thread_local struct msg_caller *msg_caller;
struct msg_caller *msg_caller_new(void);

struct msg_call {
    struct msg_caller *caller;
    uint64_t before;
};

static inline struct msg_call msg_enter(void) {
    struct msg_caller *c = msg_caller;
    if (__builtin_expect(!c, 0)) c = msg_caller_new();
    uint64_t before = __atomic_load_n(&c->word, __ATOMIC_RELAXED);
    __atomic_store_n(&c->word, before | 1, __ATOMIC_RELAXED);
#ifdef MSG_TSAN
    msg_fence();
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the membarrier of whoever frees does the rest */
#endif
    return (struct msg_call){c, before};
}

static inline void msg_leave(const struct msg_call *call) {
    __atomic_store_n(&call->caller->word, call->before & 1 ? call->before : call->before + 2, __ATOMIC_RELEASE);
}

/* Of a variable that holds what msg_enter returned: the call ends with the block. */
#define MSG_UNTIL_RETURN __attribute__((cleanup(msg_leave), unused))

#endif
