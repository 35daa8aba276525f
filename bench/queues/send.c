/* msg_send, which chooses: Express for 8 bytes, a copy for others. The data are anywhere in the sender's memory. */
#include "ours.h"

static _Alignas(64) char data[MSG_MOST_COPY];
static msg_message m;

static void open_(int me, int participants) { open_endpoint(me, participants, 0, 0, 0); }

static inline void *place(size_t bytes) { return (void)bytes, data; }
static inline void commit(size_t bytes) {
    int status, tries = 0;
    while ((status = msg_send(outbox, 0, 1, data, (uint32_t)bytes, NULL)) == MSG_FULL) idle(&tries);
    must(status, "msg_send");
}
static inline const void *take(size_t bytes) {
    int tries = 0;
    (void)bytes;
    while (!msg_receive(inbox, &m)) idle(&tries);
    return m.kind == MSG_DATA ? m.data : &m.word;
}
static inline void done(void) {
    if (m.kind == MSG_DATA) msg_release(inbox, &m);
}

#include "loops.h"

const struct contender CONTENDER = {.name = NAME("msg_send"),
                                    .rows = ROUND_TRIPS | STREAM | SENDERS,
                                    .most = MSG_MOST_COPY,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    LOOPS};
