/* Gathers of loops in strips: the elements `table[index[i]]` of a run of iterations, whose places the program has computed
 * (lang/strip.h; docs/decisions/0014). All of them are copied, near ones too, one after the other in the order of the
 * iterations, so that the loop reads them as an array. Those of all tables are under way together (sorted.h). They are fetched
 * behind all writes of this thread to the threads that have them.
 *
 * A place that is not in the table is treated as any other read treats it: the iteration that it belongs to would have made it.
 * Where an iteration does not make the read, its place is null, and nothing is fetched.
 */
#include <stdlib.h>

#include "gas/foreseen.h"
#include "gas/gather.h"
#include "gas/sorted.h"
#include "gas/transfer.h"
#include "lang/strip.h"

unsigned long fathom_gathered; /* elements, for tests */
unsigned long gas_gather_requests;

static struct room {
    fathom_ptr *places;
    char *bytes;
    size_t count, bytes_count; /* for which there is room */
} rooms[FATHOM_STRIP_GATHERS];

/* ---- loops whose elements are near ------------------------------------------------------------------------------- */

enum { WATCHED = 64, PATIENCE = 2, MOST_SKIPS = 6 };

/* A loop that found nothing far, PATIENCE times one after the other, runs as it is written 4 times before it looks again, and then 8, up to 64. */
static struct watched {
    const void *loop;
    bool has_paid;
    unsigned vain, skips;
} watched[WATCHED], *opened = watched;

bool gas_gather_pays(const void *loop) {
    struct watched *w = opened = &watched[(uintptr_t)loop / 4 % WATCHED];
    if (w->loop != loop) *w = (struct watched){.loop = loop, .has_paid = true};
    if (w->skips) {
        w->skips--;
        return false;
    }
    if (w->has_paid)
        w->vain = 0;
    else if (w->vain < MOST_SKIPS)
        w->vain++;
    if (w->vain >= PATIENCE) w->skips = 1u << w->vain;
    w->has_paid = false;
    return true;
}

void gas_gather_paid(void) { opened->has_paid = true; }

/* ---- fetching ---------------------------------------------------------------------------------------------------- */

fathom_ptr *fathom_gather_places(int g, unsigned long n) {
    struct room *r = &rooms[g];
    if (n > r->count) {
        r->count = n;
        r->places = gas_strip_sized(r->places, n * sizeof *r->places);
    }
    return r->places;
}

static size_t fetch_each(struct gas_transfer *t, char *to, const fathom_ptr *places, size_t size, size_t n) {
    size_t wanted = 0;
    for (size_t k = 0; k < n; k++, to += size) {
        if (!places[k]) continue;
        wanted++;
        if (fathom_is_near(places[k])) {
            memcpy(to, fathom_local(places[k]), size);
        } else {
            gas_gather_requests++;
            gas_gather_paid();
            gas_transfer_get(t, to, places[k], size);
        }
    }
    return wanted;
}

static void begin_get(struct gas_transfer *t, char *to, const fathom_ptr *places, size_t size, size_t n) {
    bool each = gas_goes_each(false, -1, size, gas_transfer_piece() / 4);
    fathom_gathered += each ? fetch_each(t, to, places, size, n)
                            : gas_sorted_get(t, (struct gas_sorted_to){.bytes = to}, places, size, n);
}

void gas_gather_get(char *to, const fathom_ptr *places, size_t size, size_t n) {
    struct gas_transfer t = {0};
    begin_get(&t, to, places, size, n);
    gas_transfer_wait(&t);
}

enum { LONG_RUN = 16 }; /* elements, in the mean */

size_t gas_gather_runs(const fathom_ptr *places, size_t size, size_t n, const struct gas_run **runs) {
    static struct gas_run *list;
    static size_t room;
    size_t most = n / LONG_RUN + 1, count = 0;
    for (size_t k = 0; k < n; k++) {
        if (count && places[k] == list[count - 1].from + list[count - 1].count * size) {
            list[count - 1].count++;
            continue;
        }
        if (!places[k] || count == most) return 0;
        if (count == room) list = gas_strip_sized(list, (room = 2 * room + 16) * sizeof *list);
        list[count++] = (struct gas_run){places[k], 1};
    }
    *runs = list;
    return count;
}

static void fetch_runs(struct gas_transfer *t, char *to, const struct gas_run *runs, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++) {
        size_t bytes = runs[i].count * size;
        if (fathom_is_near(runs[i].from)) {
            memcpy(to, fathom_local(runs[i].from), bytes);
        } else {
            gas_gather_requests++;
            gas_gather_paid();
            gas_far_check(runs[i].from);
            gas_transfer_get(t, to, runs[i].from, bytes);
        }
        to += bytes;
    }
}

void fathom_gather_fetch(struct fathom_strip *s, int first, int behind, unsigned long n) {
    CORE_GATE;
    struct gas_transfer t = {0};
    for (int g = first; g < behind; g++) {
        struct room *r = &rooms[g];
        size_t size = (size_t)s->gather[g].size;
        if (n * size > r->bytes_count) r->bytes = gas_strip_aligned(r->bytes, r->bytes_count = n * size);
        s->gather[g].at = r->bytes;
        struct gas_gathered have = {.places = r->places, .n = n};
        have.count = gas_gather_runs(r->places, size, n, &have.runs);
        if (gas_foreseen_is_on && gas_foreseen_gather(s, g, r->bytes, &have)) {
            fathom_gathered += n;
            gas_gather_paid();
        } else if (have.count) {
            fetch_runs(&t, r->bytes, have.runs, have.count, size);
            fathom_gathered += n;
        } else {
            begin_get(&t, r->bytes, r->places, size, n);
        }
        if (gas_foreseen_is_on) gas_foreseen_begin();
    }
    gas_transfer_wait(&t);
}
