/* Express between threads that share everything: all senders use one row, that is one lane. */
#include "ours.h"

static _Thread_local uint64_t word;
static _Thread_local msg_message m;

static void connect_all(int participants) {
    (void)participants;
    if (!(endpoint = msg_endpoint_create())) msg_die("msg_endpoint_create");
    if (!(inbox = msg_queue_create(endpoint, 0, 0, 0))) msg_die("msg_queue_create");
    if (!(outbox = msg_transmit_create(endpoint, 0, 1, 0))) msg_die("msg_transmit_create");
    if (msg_connect(outbox, 0, inbox, 7) != MSG_OK) msg_die("msg_connect");
}

static inline void *place(size_t bytes) { return (void)bytes, &word; }
static inline void commit(size_t bytes) {
    (void)bytes;
    int status, tries = 0;
    while ((status = msg_express(outbox, 0, 1, word)) == MSG_FULL) idle(&tries);
    must(status, "msg_express");
}
static inline const void *take(size_t bytes) {
    (void)bytes;
    int tries = 0;
    while (!msg_receive(inbox, &m)) idle(&tries);
    return &m.word;
}
static inline void done(void) {}

#include "loops.h"

const struct contender CONTENDER = {
    .name = "Express, one row", .kind = THREADS, .rows = STREAM | SENDERS, .most = 8, .create = connect_all, LOOPS};
