/* The wire of a job's far rows: the active messages of its conduit, whatever that is. The engine that far.h asks for is the
 * conduit's own (conduit/progress.h): the thread itself and its progress thread never step at the same time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"
#include "queues/queues.h"

enum {
    NAP_FAR_US = 250,  /* a conduit may have no bell: conduit mpi has none */
    NAP_NEAR_US = 1000 /* as core_wait_unrung */
};

static __thread bool is_own; /* the thread that the program has begun with */
static struct msg_far *far;

static bool is_mine(void) { return conduit_is_beside() || (is_own && !core_in_handler()); }

static bool may_send(int site) { return !core_overrides.has_room || core_overrides.has_room(site); }

static void carry(int site, const uint64_t *numbers, const void *data, size_t bytes) {
    core_request(site, QUEUES_CARRY, data, bytes, numbers, MSG_FAR_ARGUMENTS);
}

static void step(void) {
    bool entered = conduit_enter();
    if (far) msg_far_step(far);
    conduit_leave(entered);
}

/* core_poll calls step. */
static bool poll_all(void) { return !conduit_is_beside() && core_poll_for_others() != 0; }

/* The thread may be asleep in the conduit; otherwise it polls soon, or its progress thread does. */
static void stir(void) { conduit_ring(fathom_mythread); }

static void nap(const uint32_t *word, uint32_t old) {
    long us = conduit_near.count == fathom_threads ? NAP_NEAR_US : NAP_FAR_US;
    if (core_overrides.wait) {
        core_overrides.wait((int)us);
        return;
    }
    int before = errno;
    syscall(SYS_futex, word, FUTEX_WAIT, old, &(struct timespec){0, us * 1000}, NULL, 0);
    errno = before;
}

static void ended(void) {
    bool entered = conduit_enter();
    core_pump = NULL;
    far = NULL;
    __atomic_store_n(&queues_endpoint, NULL, __ATOMIC_RELEASE);
    conduit_leave(entered);
}

const struct msg_wire *queues_wire(void) {
    static struct msg_wire wire = {.is_mine = is_mine,
                                   .may_send = may_send,
                                   .send = carry,
                                   .step = step,
                                   .poll = poll_all,
                                   .stir = stir,
                                   .nap = nap,
                                   .ended = ended};
    wire.most = conduit_max_medium();
    return &wire;
}

void queues_wire_begin(struct msg_far *f) {
    bool entered = conduit_enter();
    far = f;
    core_pump = step;
    conduit_leave(entered);
}

static void on_carry(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    if (far && !msg_far_deliver(far, gas_token_source(token), args, payload, bytes))
        core_fatal("message queues: what thread %d has sent does not fit what came before it (%#lx, %lu, %zu bytes)",
                   gas_token_source(token), args[0], args[1], bytes);
}

void queues_wire_start(void) {
    is_own = true;
    core_service(QUEUES_CARRY, on_carry);
}
