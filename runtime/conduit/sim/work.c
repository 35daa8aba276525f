/* Counted work: what generated code adds up, by the costs that the engine gives. */
#include "conduit/work.h"

#include <stdio.h>
#include <string.h>

#include "conduit/sim/sim.h"

/* A tick after so much work: a loop that waits for a change of its thread's memory lets others go on. */
#define SIM_TICK 10000000ull

#define START ((struct fathom_picosecond *)4096) /* no null pointer, which has no successor */

FATHOM_COUNTED struct fathom_picosecond *fathom_work = START, *fathom_work_limit = START + SIM_TICK;

static struct fathom_picosecond *taken = START;

FATHOM_COUNTED const struct fathom_place *fathom_here = NULL;

/* Of all units, by the linker; none in a program without units of our front end. */
extern const struct fathom_place __start_fathom_places[] __attribute__((weak));
extern const struct fathom_place __stop_fathom_places[] __attribute__((weak));
extern fathom_performed *const __start_fathom_performed[] __attribute__((weak));
extern fathom_performed *const __stop_fathom_performed[] __attribute__((weak));

static uint32_t number_of(const struct fathom_place *place) {
    if (!place || place < __start_fathom_places || place >= __stop_fathom_places) return 0;
    return (uint32_t)(place - __start_fathom_places) + 1;
}

uint32_t sim_places(void) { return (uint32_t)(__stop_fathom_places - __start_fathom_places); }

uint32_t sim_place(void) {
    uint32_t line = sim_walks || !sim_places() ? sim_line() : 0;
    return (line ? sim_places() + line : number_of(fathom_here)) & SIM_MOST_PLACES;
}

/* Bytes of a record of places, and of work by place. */
#define AT_ONCE 16384

static void flush(enum sim_record what, const void *list, size_t bytes) {
    if (bytes) sim_record(what, sim_me, bytes, 0, 0, &(struct sim_part){list, bytes}, 1);
}

void sim_tell_places(void) {
    static CONDUIT_LARGE char text[AT_ONCE];
    size_t used = 0;
    const struct fathom_place *end = __stop_fathom_places;
    for (const struct fathom_place *p = __start_fathom_places; p != end; p++) {
        /* The tail of a name that is too long is the part that tells. */
        const char *name = p->file ? p->file : "";
        size_t length = strlen(name), most = AT_ONCE / 4;
        if (length > most) name += length - most;
        char line[AT_ONCE / 2];
        size_t n = (size_t)snprintf(line, sizeof line, "%s:%u\n", name, p->line);
        if (used + n > sizeof text) {
            flush(SIM_PLACES, text, used);
            used = 0;
        }
        memcpy(text + used, line, n);
        used += n;
    }
    flush(SIM_PLACES, text, used);
}

static CONDUIT_LARGE uint64_t worked[AT_ONCE / 8]; /* numbers of places, and their work */
static size_t worked_length;

static void say(const struct fathom_place *place, unsigned long work) {
    if (!work) return;
    if (worked_length == sizeof worked / sizeof *worked) {
        flush(SIM_WORKED, worked, sizeof worked);
        worked_length = 0;
    }
    worked[worked_length++] = number_of(place);
    worked[worked_length++] = work;
}

static CONDUIT_LARGE struct declared {
    const struct fathom_place *place;
    uint64_t work;
} declared[64]; /* places that declare work; those for which there is no room have no line */

static void note_declared(uint64_t work) {
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        if (declared[i].work && declared[i].place != fathom_here) continue;
        declared[i] = (struct declared){fathom_here, declared[i].work + work};
        return;
    }
}

void sim_performed(void (*each)(const struct fathom_place *, unsigned long)) {
    for (fathom_performed *const *p = __start_fathom_performed; p != __stop_fathom_performed; p++) (*p)(each);
}

void sim_tell_work(void) {
    sim_tell_lines();
    sim_performed(say);
    sim_tell_repeated(say);
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) say(declared[i].place, declared[i].work);
    flush(SIM_WORKED, worked, worked_length * sizeof *worked);
    worked_length = 0;
}

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
    note_declared(work);
}
