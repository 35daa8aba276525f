/* The collective calls of a team that block, as each member makes them: their number, and what the last ones were; how many it has
 * begun; and what it waits for. A member whose wait lasts compares its own with those of the member that it waits for, and ends the
 * job with a message where they differ, or where both wait for each other: without that, members that make different calls hang, or
 * take each other's data.
 *
 * What is never done is to accuse members that only are late. So only this counts:
 *   - The calls of the same number are of different kinds; or their root or size differs, and this member is still in its own. So it is
 *     with those that have been begun, whose sizes are in their messages.
 *   - The other has not made this call, and waits at a barrier of all threads that this one has not reached, or asks again and again
 *     whether that has ended: no collective call is between its halves.
 *   - The other waits for this member (struct gas_need): in a call that blocks, of this team or another, which this one has not made; or
 *     for the handle of a call, and for nothing else, that this one has not begun.
 *   - The other has made a further call, and what is waited for in this one has not come: near members see that, and far ones that all
 *     that the other had sent them has.
 *   - The other waits for a third one, which has not done what it needs, and so on, and the last one for this member.
 * Those that wait for each other cannot go on, unless another POSIX thread of their processes does something: where there are several,
 * only different calls are reported.
 *
 * Collectives that are begun have numbers of their own (schedule.h), because their order against those that block is free; and
 * neither kind meets the other.
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

/* More than a member can be ahead of one that waits for it: 32 rounds of near members, 16 messages of far ones. Calls without data make
 * none, and may be further ahead. */
enum { GAS_CALLS = 64, GAS_BEGUN = 32 };
struct gas_calls {
    uint64_t count; /* of all calls; number k is in last[k % GAS_CALLS] */
    uint64_t begun; /* of those with handles; number k is in begun_last[k % GAS_BEGUN], as `what` */
    struct gas_call {
        uint64_t bytes; /* of each member; 0: they are not the same for all */
        uint64_t what;  /* kind << 32 | root + 1; 0: none */
    } last[GAS_CALLS];
    uint64_t begun_last[GAS_BEGUN];
};

static inline uint64_t gas_call_what(enum gas_call_kind kind, int root) {
    return (uint64_t)kind << 32 | (uint32_t)(root + 1);
}

/* The calling thread makes such a call; root -1: none. The fence is for those that read what is written here meanwhile. */
static inline void gas_call(gas_team t, enum gas_call_kind kind, int root, size_t bytes) {
    if (__builtin_expect(bytes >= CORE_NO_SIZE, 0)) core_no_size(bytes);
    struct gas_calls *c = t->calls;
    uint64_t number = c->count;
    struct gas_call *call = &c->last[number % GAS_CALLS];
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&call->bytes, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&call->what, gas_call_what(kind, root), __ATOMIC_RELAXED);
    __atomic_store_n(&c->count, number + 1, __ATOMIC_RELEASE);
}

/* It begins one. */
static inline void gas_call_begun(gas_team t, enum gas_call_kind kind, int root) {
    struct gas_calls *c = t->calls;
    uint64_t number = c->begun;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&c->begun_last[number % GAS_BEGUN], gas_call_what(kind, root), __ATOMIC_RELAXED);
    __atomic_store_n(&c->begun, number + 1, __ATOMIC_RELEASE);
}

/* What a member cannot do without: that these members of a team, by rank from `low` to `high` and `also` (-1: none), have made so many
 * calls, begun so many rounds (near members), or begun so many collectives with handles. A claim that is old says nothing wrong: who
 * waited once goes on only when it is fulfilled. */
enum gas_counted { GAS_COUNTS_CALLS, GAS_COUNTS_ROUNDS, GAS_COUNTS_BEGUN };
struct gas_need {
    uint64_t team, number;
    enum gas_call_kind kind; /* of the call of the member that waits */
    enum gas_counted counted;
    int low, high, also;
    int thread; /* with which it is about to deal */
};

/* Adds the members whose data a call of n's kind is made of for this one, though others may pass it on. */
void gas_need_data(struct gas_need *n, const struct gas_team *t, int root);

/* "a broadcast" */
const char *gas_call_name(enum gas_call_kind kind);

/* As gas_team_look_up, by a member that is in a call that blocks, and waits for what the other sends in that call; number: of the call,
 * or of the round of near members. A member that waits to send, too, looks up what it is to receive: when that has come, it waits for one.
 * True: if it has not come yet, and does not come while it looks once more, it never will;
 * gas_calls_end_job then says why. */
bool gas_calls_look_up(gas_team t, int rank, uint64_t number);
_Noreturn void gas_calls_end_job(gas_team t, int rank);

/* The same where it waits for what the other does in its call `number`, and may have done already: which ends the job only where that call
 * has not been made. are_all: it needs that call of all members. */
void gas_calls_look_up_made(gas_team t, int rank, uint64_t number, bool are_all);

/* By a member that waits for the end of a collective that has been begun, which needs `need`, and is about to deal with `rank`: that has
 * to have begun so many. */
void gas_calls_look_up_begun(gas_team t, int rank, uint64_t number, const struct gas_need *need);

/* If the other does nothing further before this thread has made a collective call, or nothing at all: why, as "which waits for this one
 * at a barrier"; or null. Called now and then by a thread that waits until the other releases something. */
const char *gas_calls_in_vain(int thread);

#endif
