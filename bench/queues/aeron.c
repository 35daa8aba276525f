/* Aeron over shared memory (`aeron:ipc`): a stream to participant 0, and one to participant 1. Messages are made in place, in a claim, and
 * read where they lie. Between two participants the publications are exclusive, which is Aeron's fastest; several senders share one log.
 * Aeron's media driver, which makes the logs and takes no part in messages, is a process of its own, as it mostly is.
 */
#include "contender.h"

#include <signal.h>
#include <sys/prctl.h>

#include <aeron/aeronc.h>
#include <aeronmd/aeronmd.h>

enum { TERM = 4 << 20, MTU = 32 << 10, LONGEST = 4096, PATIENCE_S = 20 };

static char folder[64];
static pid_t driver_pid;
static volatile sig_atomic_t ends;
static int are_many;

static aeron_t *client;
static aeron_subscription_t *inbox;
static aeron_publication_t *shared_out;
static aeron_exclusive_publication_t *outbox;
static aeron_buffer_claim_t claim;
static size_t taken_bytes;

static void must(int status, const char *what) {
    if (status < 0) fprintf(stderr, "%s: %s\n", what, aeron_errmsg()), _exit(1);
}

/* ---- the driver --------------------------------------------------------------------------------------------------- */

static void on_end(int signal) { (void)signal, ends = 1; }

static _Noreturn void drive(pid_t parent) {
    struct sigaction at_end = {.sa_handler = on_end};
    sigaction(SIGTERM, &at_end, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    aeron_driver_context_t *context;
    aeron_driver_t *driver;
    must(aeron_driver_context_init(&context), "aeron_driver_context_init");
    must(aeron_driver_context_set_dir(context, folder), "aeron_driver_context_set_dir");
    must(aeron_driver_context_set_dir_delete_on_start(context, true), "dir_delete_on_start");
    must(aeron_driver_context_set_dir_delete_on_shutdown(context, true), "dir_delete_on_shutdown");
    must(aeron_driver_context_set_threading_mode(context, AERON_THREADING_MODE_SHARED), "threading_mode");
    /* It lets senders go on when receivers have read: every 100 us, in which nobody fills a log. Spinning, it would take a processor. */
    must(aeron_driver_context_set_shared_idle_strategy(context, "sleep-ns"), "shared_idle_strategy");
    must(aeron_driver_context_set_shared_idle_strategy_init_args(context, "100us"), "shared_idle_strategy_init_args");
    must(aeron_driver_context_set_ipc_term_buffer_length(context, TERM), "ipc_term_buffer_length");
    must(aeron_driver_context_set_term_buffer_sparse_file(context, false), "term_buffer_sparse_file");
    must(aeron_driver_context_set_ipc_mtu_length(context, MTU), "ipc_mtu_length");
    must(aeron_driver_init(&driver, context), "aeron_driver_init");
    must(aeron_driver_start(driver, false), "aeron_driver_start");
    while (!ends && getppid() == parent) usleep(10000);
    aeron_driver_close(driver);
    aeron_driver_context_close(context);
    _exit(0);
}

static void create(int participants) {
    if (driver_pid > 0) kill(driver_pid, SIGTERM); /* of the rows before */
    are_many = participants > 2;
    pid_t parent = getpid();
    snprintf(folder, sizeof folder, "/dev/shm/fathom-bench-aeron-%d-%d", (int)parent, participants);
    fflush(stdout);
    if ((driver_pid = fork()) < 0) die("fork");
    if (driver_pid == 0) drive(parent);
}

/* ---- participants ------------------------------------------------------------------------------------------------- */

static void open_(int me, int participants) {
    (void)participants;
    aeron_context_t *context;
    must(aeron_context_init(&context), "aeron_context_init");
    must(aeron_context_set_dir(context, folder), "aeron_context_set_dir");
    must(aeron_context_set_driver_timeout_ms(context, PATIENCE_S * 1000), "aeron_context_set_driver_timeout_ms");
    must(aeron_context_set_pre_touch_mapped_memory(context, true), "aeron_context_set_pre_touch_mapped_memory");
    must(aeron_init(&client, context), "aeron_init");
    must(aeron_start(client), "aeron_start");
    if (me < 2) {
        aeron_async_add_subscription_t *adds;
        int status;
        must(aeron_async_add_subscription(&adds, client, "aeron:ipc", 10 + me, NULL, NULL, NULL, NULL), "subscription");
        while (!(status = aeron_async_add_subscription_poll(&inbox, adds))) usleep(100);
        must(status, "aeron_async_add_subscription_poll");
    }
    int to = me == 0 ? 11 : 10, status;
    if (are_many) {
        aeron_async_add_publication_t *adds;
        must(aeron_async_add_publication(&adds, client, "aeron:ipc", to), "aeron_async_add_publication");
        while (!(status = aeron_async_add_publication_poll(&shared_out, adds))) usleep(100);
        must(status, "aeron_async_add_publication_poll");
        while (!aeron_publication_is_connected(shared_out)) usleep(100);
    } else {
        aeron_async_add_exclusive_publication_t *adds;
        must(aeron_async_add_exclusive_publication(&adds, client, "aeron:ipc", to), "exclusive publication");
        while (!(status = aeron_async_add_exclusive_publication_poll(&outbox, adds))) usleep(100);
        must(status, "aeron_async_add_exclusive_publication_poll");
        while (!aeron_exclusive_publication_is_connected(outbox)) usleep(100);
    }
}

static void close_(void) { aeron_close(client); }

/* If the log is full, or goes on to its next part, there will be room. */
static inline void await(int64_t position, int *tries) {
    if (position != AERON_PUBLICATION_BACK_PRESSURED && position != AERON_PUBLICATION_ADMIN_ACTION) must(-1, "a claim");
    idle(tries);
}

static inline void *place(size_t bytes) {
    int64_t position;
    int tries = 0;
    while ((position = are_many ? aeron_publication_try_claim(shared_out, bytes, &claim)
                                : aeron_exclusive_publication_try_claim(outbox, bytes, &claim)) < 0)
        await(position, &tries);
    return claim.data;
}
static inline void commit(size_t bytes) { (void)bytes, aeron_buffer_claim_commit(&claim); }

/* A message may be read in its handler alone: behind it the driver clears the log. */
static void on_message(void *own, const uint8_t *data, size_t bytes, aeron_header_t *header) {
    (void)header;
    taken_bytes = bytes;
    *(uint64_t *)own = sum(data, bytes);
}
static inline uint64_t receive(size_t bytes) {
    uint64_t s;
    int tries = 0;
    while (aeron_subscription_poll(inbox, on_message, &s, 1) <= 0) idle(&tries);
    if (taken_bytes != bytes) errno = EMSGSIZE, die("aeron_subscription_poll");
    return s;
}

/* Many at a time by one poll, as its receivers do; a sender publishes each. */
static uint64_t some[BATCH];
static int have, given;
static void on_one(void *own, const uint8_t *data, size_t bytes, aeron_header_t *header) {
    (void)own, (void)header;
    if (bytes != 8) errno = EMSGSIZE, die("aeron_subscription_poll");
    some[have++] = *(const uint64_t *)data;
}
static inline const void *next(size_t bytes) {
    int tries = 0;
    (void)bytes;
    if (given == have) {
        given = have = 0;
        while (aeron_subscription_poll(inbox, on_one, NULL, BATCH) <= 0) idle(&tries);
    }
    return &some[given++];
}
static inline void add(size_t bytes) { commit(bytes); }
static inline void flush(void) {}

#define HAS_RECEIVE
#define HAS_BATCH
#include "loops.h"

const struct contender CONTENDER = {.name = "Aeron",
                                    .rows = ROUND_TRIPS | STREAM | BATCHES | SENDERS,
                                    .most = LONGEST,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    LOOPS};
