/* Gets of a word that nobody has waited for: they are fetched together.
 *
 * Where there are many threads a process maps its own segment alone, and each read of another one is a call of the
 * system. The engine's process maps all segments. So a thread leaves a list of words that it wants, and hands over the
 * baton for as long as it takes to read them (engine.h): before it stops, waits, or writes to another segment itself. No
 * other thread runs in between, so what it reads is what it would have read at once.
 */
#include <errno.h>

#include "conduit/sim/sim.h"

static CONDUIT_LARGE void *wanted[SIM_MOST_FETCHES]; /* where the words go */
static uint32_t count;

bool sim_fetches_later(void *dst, uint64_t at) {
    uint64_t *list = sim_fetch_list();
    if (!list) return false;
    if (count == SIM_MOST_FETCHES) sim_fetch();
    wanted[count] = dst;
    list[count++] = at;
    return true;
}

void sim_fetch(void) {
    if (!count) return;
    uint64_t *list = sim_fetch_list();
    uint32_t n = count;
    count = 0;
    int before = errno;
    bool has_come = sim_hand_over_list(n);
    for (uint32_t i = 0; i < n; i++) {
        if (has_come)
            *(uint64_t *)wanted[i] = list[i];
        else
            sim_read_at(wanted[i], list[i], sizeof(uint64_t));
    }
    errno = before;
}
