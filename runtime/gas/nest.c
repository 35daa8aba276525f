/* Loops around a loop in strips; lang/strip.h has the interface, and the plan (crates/lower) the loops for which it is used.
 *
 *     for (i) for (j) … x[i - 1][j] + x[i + 1][j] + v[j] …
 *
 * Before the loop it is known what all of its iterations read of each slot: a row of consecutive elements, and how far the next iteration's row is from it. So a *box*
 * has the rows of many iterations: those that are near are read in place, those that are not are fetched, each once (foreseen_rows.c). While the iterations of one box
 * run, the next one is on its way. What is fetched is what loops in strips fetch (strip.c), earlier; the same questions have been asked.
 *
 * A row that is in two blocks has its parts copied one behind the other, in a box of its own. Loops that have many of these are left to strips, unless the environment has
 * a number of rows. */
#include <string.h>

#include "gas/foreseen.h"
#include "gas/slot.h"
#include "gas/sorted.h"
#include "gas/transfer.h"
#include "lang/strip.h"

enum {
    MOST_ROWS = 1024,   /* of a box and a slot, */
    BOX_BYTES = 262144, /* and of its room */
    SERVES = 256,       /* iterations that read the same: no value is kept for ever */
    /* A nest with fewer iterations and bytes is left to strips, which fetch for the next nest, too (foreseen.c). */
    LEAST_TRIPS = 64,
    LEAST_BYTES = 32768,
    LOOKS =
        1024, /* iterations of the loop inside between which this thread looks for messages while a box is on its way */
    ALIGNED = GAS_ROOM_ALIGNED,
};

static CONDUIT_LARGE struct box {
    struct gas_transfer transfer;
    long first; /* iteration */
    char *bytes;
    size_t size;
    char *room[MOST_ROWS][FATHOM_STRIP_SLOTS];
} boxes[2];
static long most_rows = MOST_ROWS;
static bool is_said; /* the environment has it */

static struct gas_pieces pieces; /* of the box that is being filled */

void gas_nest_start(size_t most) {
    is_said = most > 0;
    if (most && most < MOST_ROWS) most_rows = (long)most;
}

/* ---- the question before the loop -------------------------------------------------------------------------------- */

void fathom_nest_begin(struct fathom_nest *x, struct fathom_strip *s, const struct fathom_strip *first,
                       const struct fathom_strip *next) {
    *x = (struct fathom_nest){.slots = first->slots, .count = first->trips, .trips = s->trips};
    s->slots = first->slots;
    if (!first->may_run || !next->may_run) s->may_run = 0;
    for (int i = 0; i < x->slots && s->may_run; i++) {
        const struct fathom_slot *t = &first->slot[i], *u = &next->slot[i];
        struct fathom_slot *all = &s->slot[i];
        long by = u->first - t->first, most = LONG_MAX / 16 / t->size, span;
        x->slot[i] = *all = *t;
        x->by[i] = by;
        if (t->thread != u->thread || t->base != u->base || __builtin_mul_overflow(by, s->trips - 1, &span) ||
            span > most || span < -most) {
            s->may_run = 0;
            return;
        }
        if (span < 0) all->first += span, span = -span;
        all->extra = span + x->count + t->extra - s->trips;
    }
}

static long length_of(const struct fathom_nest *x, int i) { return x->count + x->slot[i].extra; }
static size_t room_of(const struct fathom_nest *x, int i) {
    return ((size_t)(length_of(x, i) * x->slot[i].size) + 2 * ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* Are many rows of a slot in two blocks? */
static bool cross(const struct fathom_nest *x, int i) {
    const struct fathom_slot *t = &x->slot[i];
    if (t->block == 0) return false;
    long n = length_of(x, i), by = x->by[i] < 0 ? -x->by[i] : x->by[i], left = gas_slot_place(t, 0).left;
    if (by == 0) return left < n;
    if (x->by[i] > 0 && left - n >= by * (x->trips - 1)) return false;
    long unit = by < t->block ? by : t->block;
    if (by % unit || t->block % unit) return true;
    return t->first - fathom_floordiv(t->first, unit) * unit + n > unit;
}

int fathom_nest_open(const struct fathom_nest *x) {
    size_t bytes = 0;
    for (int i = 0; i < x->slots; i++) {
        if (!is_said && cross(x, i)) return 0;
        bytes += room_of(x, i);
    }
    bool is_long = x->trips >= LEAST_TRIPS || bytes >= LEAST_BYTES / (size_t)x->trips || is_said;
    return gas_foreseen_is_on && is_long && bytes <= BOX_BYTES;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static void reserve(struct box *b, size_t bytes) {
    if (bytes <= b->size) return;
    b->size = bytes + bytes / 2;
    b->bytes = gas_strip_aligned(b->bytes, b->size);
    memset(b->bytes, 0, b->size);
}

static void note(fathom_ptr from, char *to, size_t bytes) { gas_pieces_add(&pieces, from, to, bytes); }

static void copy_near(fathom_ptr from, char *to, size_t bytes) { memcpy(to, fathom_local(from), bytes); }

/* The rows of one iteration, part after part. */
static void fill_in_parts(const struct fathom_nest *x, struct box *b, const struct fathom_slot *slot) {
    size_t bytes = 0;
    for (int i = 0; i < x->slots; i++) bytes += room_of(x, i);
    reserve(b, bytes);
    char *room = b->bytes;
    for (int i = 0; i < x->slots; i++) {
        char *to = b->room[0][i] = room;
        room += room_of(x, i);
        for (long e = 0, n = length_of(x, i); e < n;) {
            struct gas_slot_place p = gas_slot_place(&slot[i], e);
            long part = p.left < n - e ? p.left : n - e, size = slot[i].size, limit = (long)core_memory.segment_bytes;
            long low = p.offset < 0 ? 0 : p.offset, high = p.offset + part * size;
            if (high > limit) high = limit;
            if (low < high)
                (gas_is_near_thread(p.thread) ? copy_near : note)(fathom_make(p.thread, (unsigned long)low),
                                                                  to + (low - p.offset), (size_t)(high - low));
            to += part * size;
            e += part;
        }
    }
}

/* Begins to fetch what the iterations from x->ahead on read. */
static void fill(struct fathom_nest *x, struct box *b) {
    struct fathom_slot slot[FATHOM_STRIP_SLOTS];
    static const long by_base[FATHOM_STRIP_SLOTS];
    gas_transfer_wait(&b->transfer); /* of a loop that was left */
    bool moves = false;
    for (int i = 0; i < x->slots; i++) {
        slot[i] = x->slot[i];
        slot[i].first += x->ahead * x->by[i];
        moves |= x->by[i] != 0;
    }
    long rows = x->trips - x->ahead, most = moves || most_rows < SERVES ? most_rows : SERVES;
    if (rows > most) rows = most;
    size_t bytes = 0;
    bool fits = false;
    for (;; rows /= 2) {
        fits = gas_foreseen_rows(slot, x->by, by_base, x->slots, x->count, rows, &bytes);
        if (rows == 1 || (fits && bytes <= BOX_BYTES)) break;
    }
    pieces.count = 0;
    if (fits) {
        reserve(b, bytes);
        gas_foreseen_rows_arrange(b->bytes, b->room, note, copy_near);
    } else {
        fill_in_parts(x, b, slot);
    }
    b->first = x->ahead;
    x->ahead += rows;
    if (pieces.count == 0) return;
    fathom_strips_fetched++;
    gas_pieces_get(&b->transfer, pieces.list, pieces.count);
}

long fathom_nest_next(struct fathom_nest *x) {
    CORE_GATE;
    if (x->done == x->end) {
        x->which = !x->which;
        if (x->ahead == x->end) fill(x, &boxes[x->which]);
        x->end = x->ahead;
        if (x->ahead < x->trips) fill(x, &boxes[!x->which]);
        gas_transfer_wait(&boxes[x->which].transfer);
    }
    const struct box *b = &boxes[x->which], *next = &boxes[!x->which];
    long n = x->end - x->done;
    if (next->transfer.answers) {
        core_poll();
        long most = x->count < LOOKS ? LOOKS / x->count : 1;
        if (n > most) n = most;
    }
    x->row = (void *const(*)[FATHOM_STRIP_SLOTS])(b->room + (x->done - b->first));
    x->done += n;
    return n;
}
