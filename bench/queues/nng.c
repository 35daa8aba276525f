/* nng over ipc: its sockets push and pull, one pair for each direction. Messages are nng's own, which it does not copy. nng
 * hands them through threads of its own, so participants are not bound to a processor, and wait as nng does.
 */
#include "contender.h"

#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>

static char from[64];
static nng_socket inbox, outbox;
static nng_msg *making, *taken;

static void must(int error, const char *what) {
    if (error) fprintf(stderr, "%s: %s\n", what, nng_strerror(error)), _exit(1);
}
static void open_(int me, int participants) {
    (void)participants;
    char to[64];
    snprintf(from, sizeof from, "ipc:///tmp/fathom-bench-queues-%d-%d", (int)getppid(), me != 0);
    snprintf(to, sizeof to, "ipc:///tmp/fathom-bench-queues-%d-%d", (int)getppid(), me == 0);
    must(nng_pull0_open(&inbox), "nng_pull0_open");
    must(nng_push0_open(&outbox), "nng_push0_open");
    must(nng_socket_set_size(inbox, NNG_OPT_RECVMAXSZ, 0), "NNG_OPT_RECVMAXSZ");
    /* Participants from 2 on only send. */
    if (me < 2) must(nng_listen(inbox, from, NULL, 0), "nng_listen");
    for (int tries = 0, error; (error = nng_dial(outbox, to, NULL, 0)); tries++) {
        if (tries == 1000) must(error, "nng_dial");
        usleep(1000);
    }
}
static void close_(void) {
    nng_close(outbox), nng_close(inbox);
    unlink(from + strlen("ipc://"));
}

static inline void *place(size_t bytes) {
    must(nng_msg_alloc(&making, bytes), "nng_msg_alloc");
    return nng_msg_body(making);
}
static inline void commit(size_t bytes) { (void)bytes, must(nng_sendmsg(outbox, making, 0), "nng_sendmsg"); }
static inline const void *take(size_t bytes) {
    must(nng_recvmsg(inbox, &taken, 0), "nng_recvmsg");
    if (nng_msg_len(taken) != bytes) errno = EMSGSIZE, die("nng_recvmsg");
    return nng_msg_body(taken);
}
static inline void done(void) { nng_msg_free(taken); }
static inline void put(const void *data, size_t bytes) { memcpy(place(bytes), data, bytes), commit(bytes); }

static void wake_in(void) { take(8), done(); }
static void wake_out(void) { make(place(8), 8, 0), commit(8); }

#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {.name = "nng",
                                    .rows = ROUND_TRIPS | STREAM | BULK | SENDERS,
                                    .unbound = 1,
                                    .open = open_,
                                    .close = close_,
                                    .wake_in = wake_in,
                                    .wake_out = wake_out,
                                    LOOPS};
