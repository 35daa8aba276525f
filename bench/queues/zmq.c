/* ZeroMQ over ipc: its sockets push and pull, one pair for each direction. It batches by itself, and moves bytes by threads
 * of its own, so participants are not bound to a processor.
 */
#include "contender.h"

#include <zmq.h>

static void *context, *inbox, *outbox;
static zmq_msg_t making, taken;

static void must(int result, const char *what) {
    if (result < 0) fprintf(stderr, "%s: %s\n", what, zmq_strerror(errno)), _exit(1);
}
static void open_(int me, int participants) {
    (void)participants;
    char to[64], from[64];
    snprintf(from, sizeof from, "ipc:///tmp/fathom-bench-queues-%d-%d", (int)getppid(), me != 0);
    snprintf(to, sizeof to, "ipc:///tmp/fathom-bench-queues-%d-%d", (int)getppid(), me == 0);
    context = zmq_ctx_new();
    inbox = zmq_socket(context, ZMQ_PULL), outbox = zmq_socket(context, ZMQ_PUSH);
    if (!inbox || !outbox) die("zmq_socket");
    if (me < 2) must(zmq_bind(inbox, from), "zmq_bind");
    must(zmq_connect(outbox, to), "zmq_connect");
}
static void close_(void) {
    int none = 0;
    zmq_setsockopt(outbox, ZMQ_LINGER, &none, sizeof none);
    zmq_close(inbox), zmq_close(outbox), zmq_ctx_term(context);
}

static inline void *place(size_t bytes) {
    must(zmq_msg_init_size(&making, bytes), "zmq_msg_init_size");
    return zmq_msg_data(&making);
}
static inline void commit(size_t bytes) { (void)bytes, must(zmq_msg_send(&making, outbox, 0), "zmq_msg_send"); }
static inline const void *take(size_t bytes) {
    zmq_msg_init(&taken);
    must(zmq_msg_recv(&taken, inbox, 0), "zmq_msg_recv");
    if (zmq_msg_size(&taken) != bytes) errno = EMSGSIZE, die("zmq_msg_recv");
    return zmq_msg_data(&taken);
}
static inline void done(void) { zmq_msg_close(&taken); }
static inline void put(const void *data, size_t bytes) { memcpy(place(bytes), data, bytes), commit(bytes); }

static void wake_in(void) { take(8), done(); }
static void wake_out(void) { make(place(8), 8, 0), commit(8); }

#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {.name = "ZeroMQ",
                                    .rows = ROUND_TRIPS | STREAM | BULK | SENDERS,
                                    .unbound = 1,
                                    .open = open_,
                                    .close = close_,
                                    .wake_in = wake_in,
                                    .wake_out = wake_out,
                                    LOOPS};
