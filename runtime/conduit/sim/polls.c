/* Threads that poll: loops that wait for shared objects of the thread's own memory to change.
 *
 * Generated code says where an iteration of such a loop begins, if it does the same again as long as these objects have the
 * same values (crates/lower/src/plan/waiting_repeats.rs). Each iteration has one stop, and the stops have the same records after the same
 * work: when the thread has seen that it says so at its next stop, and the engine repeats that without a turn, until another
 * thread writes into its memory, or it serves a message. So the times are those of a turn for each poll.
 *
 * What an iteration adds to which counter of work is found by looking at all of them before and after one. Loops that
 * are known so need no more than one stop that is as it was.
 */
#include <string.h>

#include "conduit/sim/sim.h"

enum {
    MOST_LOOPS = 16,     /* of a thread; in others each poll is a turn */
    MOST_BYTES = 128,    /* of records of an iteration */
    MOST_LINES = 6,      /* of a loop's blocks of operations */
    MOST_COUNTERS = 8192 /* of a program that has such loops */
};

struct poll {
    size_t bytes; /* of records */
    uint64_t work;
    uint32_t place;
    char records[MOST_BYTES];
};

static bool waits;     /* the thread is in such a loop, as far as it is known */
static bool is_simple; /* that sets no variables: the first iteration is as all are */
static unsigned begun; /* stops when the iteration began */
static int alike;      /* iterations so far that stopped once, as the one before did */
static bool is_alike;  /* the last stop was as the one before */
static CONDUIT_LARGE struct poll last;
static uint64_t last_counted;

static CONDUIT_LARGE struct loop {
    struct poll poll;
    uint64_t period, times; /* counted work of an iteration; how often it was repeated */
    struct line {
        const struct fathom_place *place;
        uint64_t work; /* of an iteration */
    } lines[MOST_LINES];
} loops[MOST_LOOPS];
static struct loop *loop, *measured; /* which repeats; whose counters are looked at */
static int count;                    /* of loops */

static CONDUIT_LARGE uint64_t counters[MOST_COUNTERS];
static size_t at;

void fathom_wait_begins(void) {
    waits = true;
    is_alike = false;
    alike = 0;
    begun = sim_stops();
    measured = NULL;
}

static void keep(const struct fathom_place *place, unsigned long work) {
    (void)place;
    if (at < MOST_COUNTERS) counters[at] = work;
    at++;
}

static void compare(const struct fathom_place *place, unsigned long work) {
    uint64_t more = at < MOST_COUNTERS ? work - counters[at] : 0;
    at++;
    struct line *line = measured->lines;
    for (; more && line < measured->lines + MOST_LINES; line++) {
        if (line->work && line->place != place) continue;
        *line = (struct line){place, line->work + more};
        return;
    }
    if (more) at = MOST_COUNTERS + 1;
}

static bool are_alike(const struct poll *a, const struct poll *b) {
    return a->bytes == b->bytes && a->work == b->work && a->place == b->place &&
           memcmp(a->records, b->records, a->bytes) == 0;
}

static struct loop *known(void) {
    for (struct loop *l = loops; l < loops + count; l++)
        if (are_alike(&l->poll, &last)) return l;
    return NULL;
}

void fathom_waits(int simple) {
    unsigned stops = sim_stops();
    alike = stops == begun + 1 && is_alike ? alike + 1 : 0;
    begun = stops;
    waits = true;
    is_simple = simple;
    if (measured && alike) {
        at = 0;
        sim_performed(compare);
        /* There may be no room for all of what it counts. */
        if (at <= MOST_COUNTERS) count++;
    }
    measured = NULL;
    if (alike && count < MOST_LOOPS && !known()) {
        measured = &loops[count];
        *measured = (struct loop){.poll = last};
        at = 0;
        sim_performed(keep);
    }
}

bool sim_does_it_again(enum sim_stop why, const void *records, size_t bytes, uint64_t work) {
    if (!waits) return false;
    unsigned stops = sim_stops();
    waits = stops - begun < 2;
    if (why != SIM_ORDER || !sim_self->may_serve || bytes > MOST_BYTES) return is_alike = false;
    struct poll poll = {bytes, work, sim_self->place, {0}};
    memcpy(poll.records, records, bytes);
    is_alike = are_alike(&poll, &last);
    last = poll;
    if (measured) measured->period = sim_self->counted - last_counted;
    last_counted = sim_self->counted;
    loop = stops == begun && (is_simple || alike > 1) ? known() : NULL;
    return loop;
}

void sim_has_repeated(uint64_t times) {
    if (!loop) return;
    loop->times += times;
    sim_self->counted += times * loop->period;
    last_counted = sim_self->counted;
}

void sim_tell_repeated(void (*say)(const struct fathom_place *, unsigned long)) {
    for (struct loop *l = loops; l < loops + count; l++)
        for (struct line *line = l->lines; line < l->lines + MOST_LINES; line++)
            say(line->place, line->work * l->times);
}
