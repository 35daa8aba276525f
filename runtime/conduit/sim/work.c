/* Counted work: what generated code adds up, by the costs that the engine gives. */
#include "conduit/work.h"

#include "conduit/sim/sim.h"

/* A tick after so much work: a loop that waits for a change of its thread's memory lets others go on. */
#define SIM_TICK 10000000ull

#define START ((struct fathom_picosecond *)4096) /* no null pointer, which has no successor */

struct fathom_picosecond *fathom_work = START, *fathom_work_limit = START + SIM_TICK;

static struct fathom_picosecond *taken = START;

unsigned long fathom_work_cost(const unsigned counts[FATHOM_WORK_CLASSES]) {
    const uint64_t *each = sim_costs();
    unsigned __int128 sum = 0;
    for (int i = 0; each && i < FATHOM_WORK_CLASSES; i++) sum += (unsigned __int128)counts[i] * each[i];
    return (unsigned long)((sum + 500) / 1000);
}

uint64_t sim_counted(void) {
    uint64_t done = (uint64_t)(fathom_work - taken);
    taken = fathom_work;
    sim_self->counted += done;
    fathom_work_limit = fathom_work + SIM_TICK;
    return done;
}

uint64_t sim_counted_in(uint64_t unit) {
    uint64_t done = (uint64_t)(fathom_work - taken) / unit;
    taken += done * unit;
    sim_self->counted += done * unit;
    return done;
}

void fathom_work_tick(void) {
    if (sim_may_stop()) sim_stop(SIM_FULL);
    fathom_work_limit = fathom_work + SIM_TICK;
}

void sim_declare(double operations, double bytes) {
    const uint64_t *each = sim_declared();
    double ps = (operations * (double)each[0] + bytes / 8 * (double)each[1]) / 1000;
    if (!(ps > 0) || !sim_may_stop()) return;
    uint64_t work = ps < (double)SIM_LONGEST ? (uint64_t)ps : SIM_LONGEST;
    fathom_work += work;
    sim_self->declared += work;
}
