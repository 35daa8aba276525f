/* Basic: records in a ring of bytes, made in place; the producer's pointer moves once for each record, or for each batch. */
#include "whole.h"

enum { RING = 1 << 20, LONGEST = 256 << 10 };
#ifdef SINGLE
static int kept;
#endif

static inline void *place(size_t bytes) {
    void *p;
    int tries = 0;
    while (!(p = msg_basic_reserve(outbox, 0, (uint32_t)bytes))) idle(&tries);
    return p;
}
static inline void commit(size_t bytes) {
    msg_basic_add(outbox, 0, 1, (uint32_t)bytes);
    msg_basic_publish(outbox, 0);
}

#ifdef SINGLE
/* Batches: room for many records, which have one header; and as many as there are by one call, and one release. */
static inline void *place_many(size_t bytes) {
    static char *to;
    int tries = 0;
    if (!kept)
        while (!(to = msg_basic_reserve_many(outbox, 0, (uint32_t)bytes, BATCH))) idle(&tries);
    return to + (size_t)kept * bytes;
}
static inline void add(size_t bytes) { (void)bytes, kept++; }
static inline void flush(void) {
    if (!kept) return;
    msg_basic_add_many(outbox, 0, 1, (uint32_t)kept), kept = 0;
    msg_basic_publish(outbox, 0);
}
static msg_message some[BATCH];
static size_t have, given;
static inline const void *next(size_t bytes) {
    int tries = 0;
    if (given == have) {
        if (have) msg_release(inbox, &some[have - 1]);
        while (!(have = msg_receive_many(inbox, some, BATCH))) idle(&tries);
        given = 0;
    }
    if (some[given].bytes != bytes) errno = EMSGSIZE, die("msg_receive_many");
    return some[given++].data;
}
#define HAS_BATCH
#define PLACE_MANY place_many
#endif

static void prepare(size_t bytes) {
    (void)bytes;
#ifdef SINGLE
    if (have) msg_release(inbox, &some[have - 1]);
    have = given = 0;
#endif
}

/* Goes through the rings once, so that their pages exist: else the first rows would make them. */
static void touch(int me, int participants) {
    enum { RECORD = 4096 - 8, RECORDS = RING / 4096 };
    for (int n = me ? 0 : (participants - 1) * RECORDS; n; n--) take(RECORD), done();
    for (int n = RECORDS; n; n--) place(RECORD), commit(RECORD);
    for (int n = me == 1 ? RECORDS : 0; n; n--) take(RECORD), done();
}
static void open_(int me, int participants) {
    open_endpoint(me, participants, RING, MSG_BASIC, 0);
    touch(me, participants);
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
