/* What the files of collectives that are begun share: the checks at their start, and where data lies that others read. */
#ifndef GAS_COLLECTIVE_BEGUN_H
#define GAS_COLLECTIVE_BEGUN_H

#include <string.h>

#include "gas/lines.h"
#include "gas/schedule.h"

#define STEP(...) gas_schedule_add(s, (struct gas_step){__VA_ARGS__})

static inline void begun_check(const char *function, gas_team t, int root) {
    gas_team_check(function, t);
    if (root < 0 || root >= t->size) gas_fatal("%s: root %d of a team of %d", function, root, t->size);
}

/* Inside the gate: another POSIX thread may be in a handler now. */
void gas_begun_enter(const char *function);

static inline int begun_around(gas_team t, int rank) { return gas_rank_around(rank, t->size); }

/* Is it long data that no other member can read where it is? */
static inline bool begun_needs_copy(const struct gas_schedule *s, const void *p, size_t n) {
    return gas_schedule_is_long(s, n) && !gas_schedule_stays(s, p, n);
}

/* The same data where others may read it as long as the list lasts, if it is long. */
static inline const char *begun_lasting(struct gas_schedule *s, const void *p, size_t n) {
    return begun_needs_copy(s, p, n) ? memcpy(gas_schedule_room(s, n), p, n) : p;
}

static inline gas_handle begun_copied(void *dst, const void *src, size_t n) {
    if (dst != src && n) memmove(dst, src, n);
    return GAS_DONE;
}

/* Sends the piece of each other member, empty ones, too, so that a size that is not what the other expects is noticed. */
void gas_begun_send_pieces(struct gas_schedule *s, const char *src, const size_t *at, const size_t *bytes);

#endif
