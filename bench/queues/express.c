/* Express: a word and five bits. Built with BY_POLL, messages are taken by OnePoll instead of from their queue; with LONG, of
 * each sender as many fit into the queue as records of one word into Basic's ring (basic.c).
 */
#include "ours.h"

#ifdef LONG
enum { SLOTS = 65536, ROWS = SENDERS };
#else
enum { SLOTS = 0 /* the usual */, ROWS = ROUND_TRIPS | STREAM | BATCHES | SENDERS };
#endif

static uint64_t words[BATCH];
static msg_message m;
static int kept;

static void open_(int me, int participants) { open_endpoint(me, participants, SLOTS, 0, 0); }

static inline void *place(size_t bytes) { return (void)bytes, &words[kept]; }
static inline void commit(size_t bytes) {
    (void)bytes;
    int status, tries = 0;
    while ((status = msg_express(outbox, 0, 1, words[0])) == MSG_FULL) idle(&tries);
    must(status, "msg_express");
}
static inline const void *take(size_t bytes) {
    (void)bytes;
    int tries = 0;
#ifdef BY_POLL
    while (!msg_poll(&set, &m)) idle(&tries);
#else
    while (!msg_receive(inbox, &m)) idle(&tries);
#endif
    return &m.word;
}
static inline void done(void) {}

static inline void add(size_t bytes) { (void)bytes, kept++; }
static inline void flush(void) {
    for (size_t sent = 0; sent < (size_t)kept;)
        sent += msg_express_many(outbox, 0, 1, words + sent, (size_t)kept - sent);
    kept = 0;
}
#ifdef BY_POLL
static inline const void *next(size_t bytes) { return take(bytes); }
#else
static inline const void *next(size_t bytes) {
    static msg_message some[BATCH];
    static size_t have, given;
    int tries = 0;
    (void)bytes;
    if (given == have) {
        while (!(have = msg_receive_many(inbox, some, BATCH))) idle(&tries);
        given = 0;
    }
    return &some[given++].word;
}
#endif

#ifndef LONG
static void wake_in(void) {
    if (!msg_wait(&set, &m, -1)) die("msg_wait");
}
static void wake_out(void) { commit(8); }
#endif

#define HAS_BATCH
#include "loops.h"

const struct contender CONTENDER = {
#ifdef BY_POLL
    .name = NAME("Express by OnePoll"),
    .poll_open = poll_open,
    .poll = poll_all,
#elif defined LONG
    .name = "Express, 65536 slots",
#else
    .name = NAME("Express"),
#endif
    .rows = ROWS,
    .most = 8,
    .create = create,
    .open = open_,
    .close = close_,
#ifndef LONG
    .wake_in = wake_in,
    .wake_out = wake_out,
#endif
    LOOPS};
