/* Tag-On: a header, and data that are already in place, in the sender's region. Its places are used in turn, each when
 * the receiver has released what lay there. Messages of more than 4096 bytes go through as much memory as Basic's ring has
 * (basic.c), so that both find in their caches what fits there; others through 64 places, which are a quarter of it.
 */
#include "whole.h"

enum { PLACES = 64, REGION = 32 << 20, LONGEST = 256 << 10, IN_TURN = 1 << 20 };
static uint64_t ticket[PLACES];
static unsigned at;
static char *memory;

static void open_(int me, int participants) {
    open_endpoint(me, participants, 0, 0, REGION);
    memory = msg_region_memory(region);
    memset(memory, 0, REGION); /* so that its pages exist */
    for (int i = 0; i < PLACES; i++) ticket[i] = MSG_NO_TICKET;
}

static inline unsigned places(size_t bytes) { return bytes <= 4096 ? PLACES : (unsigned)(IN_TURN / bytes); }

static inline void *place(size_t bytes) {
    int tries = 0;
    if (at >= places(bytes)) at = 0;
    if (ticket[at] != MSG_NO_TICKET && !msg_is_released(outbox, 0, ticket[at])) {
        /* Until half of them are free: to ask after each message takes the line of releases from the receiver each time. */
        while (!msg_is_released(outbox, 0, ticket[(at + places(bytes) / 2) % places(bytes)])) idle(&tries);
        while (!msg_is_released(outbox, 0, ticket[at])) idle(&tries);
    }
    /* Odd numbers of lines, so that short messages do not all lie in the same sets of a cache. */
    return memory + (size_t)at * (bytes <= 4096 ? 4096 + 64 : LONGEST + 64);
}
static inline void commit(size_t bytes) {
    int status, tries = 0;
    const void *data = memory + (size_t)at * (bytes <= 4096 ? 4096 + 64 : LONGEST + 64);
    while ((status = msg_tag_on(outbox, 0, 1, 0, data, (uint32_t)bytes, &ticket[at])) == MSG_FULL) idle(&tries);
    must(status, "msg_tag_on");
    at = (at + 1) % places(bytes);
}

#include "loops.h"

const struct contender CONTENDER = {.name = NAME("Tag-On"),
                                    .rows = ROUND_TRIPS | STREAM | SENDERS,
                                    .least = 8,
                                    .most = LONGEST,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    LOOPS};
