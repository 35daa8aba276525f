/* POSIX message queues (mq_overview(7)), with the limits that the system has by default: 10 messages, 8 KiB each. */
#include "fd.h"

#include <mqueue.h>

enum { LONGEST = 4096, DEPTH = 10 };
static mqd_t queue[2], inbox, outbox;
static char out_data[LONGEST] __attribute__((aligned(4096))), in_data[LONGEST] __attribute__((aligned(4096)));

static mqd_t make_queue(int number) {
    char name[64];
    snprintf(name, sizeof name, "/fathom-bench-queues-%d-%d", (int)getpid(), number);
    struct mq_attr attr = {.mq_maxmsg = DEPTH, .mq_msgsize = LONGEST};
    mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600, &attr);
    if (q == (mqd_t)-1) die("mq_open");
    mq_unlink(name);
    return q;
}
static void create(int participants) { (void)participants, queue[0] = make_queue(0), queue[1] = make_queue(1); }
static void open_(int me, int participants) {
    (void)participants;
    inbox = queue[me != 0], outbox = queue[me == 0];
}

static inline void *place(size_t bytes) { return (void)bytes, out_data; }
static inline void commit(size_t bytes) {
    while (mq_send(outbox, out_data, bytes, 0)) {
        if (errno != EAGAIN) die("mq_send");
        wait_for(outbox, POLLOUT);
    }
}
static inline const void *take(size_t bytes) {
    while (mq_receive(inbox, in_data, sizeof in_data, NULL) != (ssize_t)bytes) {
        if (errno != EAGAIN) die("mq_receive");
        wait_for(inbox, POLLIN);
    }
    return in_data;
}
static inline void done(void) {}

static void wake_in(void) {
    mq_setattr(inbox, &(struct mq_attr){.mq_flags = 0}, NULL);
    take(8);
}
static void wake_out(void) { commit(8); }

#include "loops.h"

/* The default limit is 256 queues, so that 512 cannot be looked at. */
const struct contender CONTENDER = {.name = "POSIX message queue",
                                    .rows = ROUND_TRIPS | STREAM | SENDERS,
                                    .most = LONGEST,
                                    .create = create,
                                    .open = open_,
                                    .wake_in = wake_in,
                                    .wake_out = wake_out,
                                    LOOPS};
