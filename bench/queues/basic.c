/* Basic: records in a ring of bytes, made in place; the producer's pointer moves once for each record, or for each batch. */
#include "whole.h"

enum { RING = 1 << 20, LONGEST = 256 << 10 };
static int kept, holding;

static void open_(int me, int participants) { open_endpoint(me, participants, RING, MSG_BASIC, 0); }

static inline void *place(size_t bytes) {
    void *p;
    int tries = 0;
    while (!(p = msg_basic_reserve(outbox, 0, (uint32_t)bytes))) {
        /* What is not published cannot be taken. */
        if (kept) msg_basic_publish(outbox, 0), kept = 0;
        idle(&tries);
    }
    return p;
}
static inline void add(size_t bytes) { msg_basic_add(outbox, 0, 1, (uint32_t)bytes), kept++; }
static inline void flush(void) {
    if (kept) msg_basic_publish(outbox, 0), kept = 0;
}
static inline void commit(size_t bytes) { add(bytes), flush(); }

#ifdef SINGLE
/* All records that are there are released by one call. */
static inline const void *next(size_t bytes) {
    if (holding && msg_receive_next(inbox, &m)) return m.data;
    if (holding) done(), holding = 0;
    take(bytes), holding = 1;
    return m.data;
}
#define HAS_BATCH
#endif

static void prepare(size_t bytes) {
    (void)bytes;
    if (holding) done(), holding = 0;
}

#include "loops.h"

const struct contender CONTENDER = {.name = NAME("Basic"),
                                    .rows = ROUND_TRIPS | STREAM | SENDERS
#ifdef SINGLE
                                            | BATCHES
#endif
                                    ,
                                    .most = LONGEST,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    .prepare = prepare,
                                    LOOPS};
