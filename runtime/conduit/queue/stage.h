/* Where a sender leaves what does not fit into a place of a ring: payloads, and arguments that it has no room for.
 * A stage is the sender's own memory. Only the sender decides what lies where; receivers read there. A part is free again
 * when the place that names it is over (ring_is_over), so no message says so.
 *
 * Parts are cut from units in turn. Small parts, of one unit, have units of their own, as many as a ring has places: so few
 * lines are used again and again, and stay in the caches. A part whose receiver is slow is passed over.
 */
#ifndef CONDUIT_QUEUE_STAGE_H
#define CONDUIT_QUEUE_STAGE_H

#include "conduit/queue/ring.h"

enum { STAGE_UNIT = 1024, STAGE_SMALL = RING_PLACES, STAGE_UNITS = STAGE_SMALL + 192 };

/* For `receiver`: the part is being filled (queue_prepare), and its place is not known yet. */
#define STAGE_PREPARED UINT32_MAX

/* Mapped by the receivers. */
struct stage_memory {
    _Alignas(4096) char unit[STAGE_UNITS][STAGE_UNIT];
};

/* The sender's own. */
struct stage {
    struct stage_part {
        uint64_t place;           /* in the ring of its receiver */
        uint32_t receiver, units; /* units 0: no part begins here */
    } part[STAGE_UNITS];
    unsigned turn[2]; /* where the next part is tried, of small ones and of large ones */
};

static inline unsigned stage_units(size_t bytes) { return (unsigned)((bytes + STAGE_UNIT - 1) / STAGE_UNIT); }

/* Finds so many free units that follow one another, and returns the first; or -1. is_over says whether a part is. */
static inline int stage_find(struct stage *s, unsigned units, bool (*is_over)(void *context, const struct stage_part *),
                             void *context) {
    bool is_large = units > 1;
    unsigned first = is_large ? STAGE_SMALL : 0, end = is_large ? STAGE_UNITS : STAGE_SMALL;
    unsigned at = first + s->turn[is_large], run = 0;
    for (unsigned passed = 0; passed < end - first + units;) { /* also those that `turn` is in the middle of */
        struct stage_part *p = &s->part[at];
        if (p->units && is_over(context, p)) p->units = 0;
        unsigned step = p->units ? p->units : 1;
        run = p->units ? 0 : run + 1;
        at += step, passed += step;
        if (run >= units) return (int)(at - units);
        if (at == end) at = first, run = 0;
    }
    return -1;
}

/* What begins at `unit` is named in the ring of `receiver` at `place`. */
static inline void stage_take(struct stage *s, unsigned unit, unsigned units, unsigned receiver, uint64_t place) {
    bool is_large = units > 1;
    unsigned first = is_large ? STAGE_SMALL : 0, all = is_large ? STAGE_UNITS - STAGE_SMALL : STAGE_SMALL;
    s->part[unit] = (struct stage_part){place, receiver, units};
    s->turn[is_large] = (unit - first + units) % all;
}

#endif
