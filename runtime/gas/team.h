/* Teams, and how their members communicate: through shared memory where all members are near each other (near.h),
 * otherwise by streams of messages (stream.c).
 */
#ifndef GAS_TEAM_H
#define GAS_TEAM_H

#include <stdlib.h>

#include "gas/sync.h"

struct gas_calls;
struct gas_crew;
struct gas_stream;
struct gas_area;

/* Stages of a near member's area, see near.h. */
enum { GAS_STAGES = 4 };

struct gas_team {
    uint64_t id; /* the same on all members, and on no other team that any two of them are both in; world: 0 */
    int rank, size;
    const int *threads; /* by rank; NULL: the ranks are the threads, as of the world */
    bool is_near;
    struct gas_team *next; /* of those that this thread is in */

    struct gas_calls *calls; /* that this thread has made and that block: calls.h */

    /* Where all members are near: */
    struct gas_area **areas;     /* by rank */
    uint64_t round;              /* rounds begun; the same on all members */
    uint64_t all_done;           /* a round that every member is known to have done */
    uint64_t staged[GAS_STAGES]; /* the last round that used any part of the stage, */
    uint64_t filled[GAS_STAGES]; /* and the last that used the whole of it */
    void *scratch;               /* room for the data of each member; NULL before first use */

    /* Otherwise: */
    struct gas_stream **streams; /* by rank, found at first use */

    struct gas_crew *crews[2]; /* schedule.c: of lists that are begun, and of those that block; NULL before the first */
    int begun_now;             /* those of them whose handles have not been waited for */

    uint32_t caller, depth; /* the POSIX thread (+ 1) of this process that is in a collective call, and how deep */
};

/* Where several POSIX threads call, one at a time may be in a collective call on a team; ends the job otherwise. To the end
 * of the block, inside the gate. */
bool gas_team_enter(gas_team t);
void gas_team_leave(const gas_team *t);
#define GAS_TEAM_CALL(t)                                                                                               \
    CORE_GATE;                                                                                                         \
    __attribute__((cleanup(gas_team_leave), unused)) const gas_team gas_team_entered =                                 \
        __builtin_expect(core_gate_is_on, 0) && gas_team_enter(t) ? (t) : NULL

/* Ends the job unless the team exists: one that has been freed has no members. */
_Noreturn void gas_team_refuse(const char *function, const struct gas_team *t);
static inline void gas_team_check(const char *function, const struct gas_team *t) {
    if (__builtin_expect(!t || t->size == 0, 0)) gas_team_refuse(function, t);
}

/* The thread that is the member of this rank. */
static inline int gas_team_member(const struct gas_team *t, int rank) { return t->threads ? t->threads[rank] : rank; }

/* Called now and then (core_wait) by a member that waits for `rank` and sees nothing come: ends the job if that member
 * has terminated. */
void gas_team_look_up(const struct gas_team *t, int rank);
/* This thread's team of this number, or null. */
gas_team gas_team_numbered(uint64_t id);

/* The bytes that each thread's static shared data has for the world team's area; the size of any team's area. */
#define GAS_AREA_BYTES 68992
void gas_area_start(struct gas_area *a);
struct gas_calls *gas_area_calls(struct gas_area *a);

/* The place in a member's segment at the same offset as `mine` in this thread's; for near members. */
static inline char *gas_team_twin(gas_team t, int rank, const void *mine) {
    ptrdiff_t threads = gas_team_member(t, rank) - gas_team_member(t, t->rank);
    return (char *)(uintptr_t)mine + threads * (ptrdiff_t)FATHOM_STEP;
}

/* ---- streams (stream.c) ------------------------------------------------------------------------------------------ */

/* Sends n bytes to one member and receives m from another, at the same time; a rank of -1 means that nothing goes in
 * that direction. The received data is the next that that member sends to this one on this team; sizes must agree.
 * Returns when src may change. */
void gas_stream_move(gas_team t, int to, const void *src, size_t n, int from, void *dst, size_t m);
static inline void gas_stream_send(gas_team t, int to, const void *src, size_t n) {
    gas_stream_move(t, to, src, n, -1, NULL, 0);
}
static inline void gas_stream_receive(gas_team t, int from, void *dst, size_t n) {
    gas_stream_move(t, -1, NULL, 0, from, dst, n);
}
/* The messages that have left for that member, except those with credit, and that have come from it. */
uint64_t gas_stream_told(gas_team t, int rank);
uint64_t gas_stream_heard(gas_team t, int rank);
/* Forgets the team's streams. */
void gas_stream_close(gas_team t);

#endif
