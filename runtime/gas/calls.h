/* The collective calls of a team that block, as each member makes them: their number, and what the last ones were. A member whose
 * wait lasts compares its own with those of the member that it waits for, and ends the job with a message where they differ, or
 * where both wait for each other: without that, members that make different calls hang, or take each other's data.
 *
 * What is never done is to accuse members that only are late. So only this counts:
 *   - The calls of the same number are of different kinds; or their root or size differs, and this member is still in its own.
 *   - This member waits for something that the other does in this call, which the other has not made, and the other waits at a barrier
 *     of all threads that this one has not reached. Neither can go on, unless another POSIX thread of its process does: where there
 *     are several, nothing is said.
 * Collectives that are begun have numbers of their own (schedule.h), because their order against those that block is free.
 *
 * A call costs what recording it costs, and a barrier of all threads nothing: a thread that waits at one says so when its wait has
 * lasted. A near member reads the other's records where they are; for a far one a message asks, which its progress thread answers
 * as well.
 */
#ifndef GAS_CALLS_H
#define GAS_CALLS_H

#include "gas/team.h"

enum gas_call_kind {
    GAS_CALL_BARRIER,
    GAS_CALL_BROADCAST,
    GAS_CALL_SCATTER,
    GAS_CALL_GATHER,
    GAS_CALL_GATHER_ALL,
    GAS_CALL_EXCHANGE,
    GAS_CALL_REDUCE,
    GAS_CALL_ALL_REDUCE,
    GAS_CALL_SCAN,
    GAS_CALL_REDUCE_SCATTER,
    GAS_CALL_SCATTER_PIECES,
    GAS_CALL_GATHER_PIECES,
    GAS_CALL_GATHER_ALL_PIECES,
    GAS_CALL_EXCHANGE_PIECES,
    GAS_CALL_ALLOCATION,
    GAS_CALL_SPLIT,
    GAS_CALL_FREE
};

enum { GAS_CALLS = 16 };
struct gas_calls {
    uint64_t count; /* of all calls; number k is in last[k % GAS_CALLS] */
    struct gas_call {
        uint64_t bytes; /* of each member; 0: they are not the same for all */
        uint64_t what;  /* kind << 32 | root + 1; 0: none */
    } last[GAS_CALLS];
};

/* The calling thread makes such a call; root -1: none. The fence is for those that read what is written here meanwhile. */
static inline void gas_call(gas_team t, enum gas_call_kind kind, int root, size_t bytes) {
    struct gas_calls *c = t->calls;
    uint64_t number = c->count;
    struct gas_call *call = &c->last[number % GAS_CALLS];
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&call->bytes, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&call->what, (uint64_t)kind << 32 | (uint32_t)(root + 1), __ATOMIC_RELAXED);
    __atomic_store_n(&c->count, number + 1, __ATOMIC_RELEASE);
    t->before = t->round;
}

/* As gas_team_look_up, by a member that is in such a call. in_this: it waits for something that the other does in the same
 * call, not in one before. */
void gas_calls_look_up(gas_team t, int rank, bool in_this);

#endif
