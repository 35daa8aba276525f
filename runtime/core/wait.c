/* Waiting for another thread: serve messages, spin, then yield, then rest.
 *
 * How long to spin depends on whether the threads here have a core each: where they have not, the one that is waited
 * for may need this one's. When all other threads have terminated nothing will come any more, and the job ends with a
 * message instead of hanging.
 */
#include <sched.h>

#include "core/core.h"
#include "core/tuning.h"
#include "lang/prelude.h"

#define FEW_SPINS 20
#define YIELDS 200

static unsigned spins = FEW_SPINS;

void core_wait_tuned(void) {
    spins = conduit_threads_here() <= conduit_cores() ? (unsigned)core_tuning.spins : FEW_SPINS;
}

unsigned core_spins(void) { return spins; }

/* What the others did before they terminated, and what they still answer to, may be on its way: this looks again for
 * about a second. Rounds count from 0 in each wait. */
static void look_for_deadlock(unsigned round) {
    static unsigned since; /* the round in which the last of the others was seen to have terminated */
    if (core_is_leaving() || conduit_is_ending()) return;
    if (core_done_count() < fathom_threads - 1 || fathom_threads == 1)
        since = 0;
    else if (since == 0 || round < since)
        since = round;
    else if (round - since > 1000)
        core_fatal("waits for another thread, but all others have terminated: it would wait for ever");
}

void core_wait(unsigned *round) {
    if (core_poll()) {
        *round = 0;
        return;
    }
    unsigned r = (*round)++;
    if (r < spins) {
        conduit_pause();
    } else if (r < spins + YIELDS) {
        sched_yield();
    } else { /* 50 us, longer and longer, up to 1 ms */
        unsigned longer = (r - spins - YIELDS) / 16;
        int us = 50 << (longer > 4 ? 5 : longer);
        conduit_rest(us > 1000 ? 1000 : us);
        if (longer >= 8) {
            core_look_for_lost();
            look_for_deadlock(r);
        }
    }
}
