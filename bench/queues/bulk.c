/* Bulk: the sender's thread copies into its window in the receiver's memory, which has room for four messages, so that one side
 * reads while the other copies.
 */
#include "whole.h"

enum { PLACES = 4 };
static uint64_t ticket[PLACES];
static unsigned at;
static char *mine;

static void open_(int me, int participants) {
    window = (size_t)PLACES * MOST;
    open_endpoint(me, participants, 0, 0, 0);
    if (!(mine = aligned_alloc(4096, MOST))) die("memory");
    memset(mine, 0, MOST);
    for (int i = 0; i < PLACES; i++) ticket[i] = MSG_NO_TICKET;
}

static inline void put(const void *data, size_t bytes) {
    int status, tries = 0;
    while (!msg_is_released(outbox, 0, ticket[at])) idle(&tries);
    while ((status = msg_bulk_copy(outbox, 0, 1, 0, at * (uint64_t)MOST, data, bytes, &ticket[at])) == MSG_FULL)
        idle(&tries);
    must(status, "msg_bulk_copy");
    at = (at + 1) % PLACES;
}
static inline void *place(size_t bytes) { return (void)bytes, mine; }
static inline void commit(size_t bytes) { put(mine, bytes); }

#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {.name = NAME("Bulk"),
                                    .rows = ROUND_TRIPS | BULK,
                                    .least = 64,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    LOOPS};
