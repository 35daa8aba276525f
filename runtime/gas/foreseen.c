/* What loops will read next; foreseen.h has the interface, strip.c and gather.c the loops.
 *
 * A loop is known by the place in the program where it is opened. Each time it runs, what it reads is compared with what it read the
 * time before. Where all its slots have moved on by the same distances twice, the next runs are expected to go on so, and what their
 * first strips read is fetched: a *box* has so many runs, 2 at first, and twice as many as the box before if that one was used. There are
 * two boxes: while the runs of one use what it has, the other is on its way. Elements at computed places are fetched so in two cases. Where they
 * follow each other in memory, pieces of it take the parts of slots. Where each place has moved on by one element, a piece of memory at each
 * place has what that iteration reads in all runs of the box.
 *
 * Where nothing moves, each run reads the same again, as in `for (i) for (j) y[i] += a[i][j] * x[j]`: a box has one run, and serves many.
 *
 * What was fetched in vain costs time. It is never more than what was used before, and a loop whose boxes are void or not what it
 * reads, again and again, rests.
 *
 * Elements that are not reached may lie outside of the array; what is outside of the segment is not touched (strip.c).
 */
#include "gas/foreseen.h"

#include <limits.h>
#include <string.h>

#include "gas/gather.h"
#include "gas/halo.h"
#include "gas/lines.h"
#include "gas/sorted.h"
#include "gas/transfer.h"

enum {
    LOOPS = 32,          /* that are watched: others take their places */
    MOST_RUNS = 64,      /* of a box */
    BOX_BYTES = 262144,  /* of its room */
    RUN_BYTES = 32768,   /* that a run adds: a longer one is bound by the rate, not by the latency */
    MOST_PLACES = 16384, /* of a run that gathers, */
    MOST_EACH = 4096,    /* and bytes at each */
    SERVES = 256,        /* runs that read the same */
    PATIENCE = 2,        /* runs that moved on by the same distances */
    IN_VAIN = 4,         /* boxes, one after the other, of which nothing was used: the loop rests for */
    RESTS = 500,         /* runs */
    LOOKS = 1024,        /* iterations of runs that need not wait, between which this thread looks for messages */
};

struct box {
    struct gas_transfer transfer;
    bool is_whole; /* it may be used, in this epoch: */
    bool was_used;
    uint64_t epoch;
    long first, behind; /* the runs that it has */
    long low, high;     /* it has some of these offsets, of whatever threads; high 0: of none */
    char *bytes;
    size_t size;
    /* A loop in strips. */
    long count[MOST_RUNS]; /* iterations of each run's first strip */
    char *room[MOST_RUNS][FATHOM_STRIP_SLOTS];
    bool has_elements; /* each room begins with the first element, and all of them follow, near ones in their place */
    /* A loop that gathers: the places of run `first`, and the bytes at each; */
    fathom_ptr *places;
    size_t places_size, n, each;
    /* or the pieces of memory that each run reads, `pieces` of them: one after the other in `bytes`. */
    size_t pieces, *lengths; /* elements of each */
};

struct loop {
    const void *at; /* null: none */
    int gather;     /* of that loop; -1: its slots */
    long run;       /* the number of the run at hand */
    long
        nothing_before; /* the next box is tried in this run: nothing far is read in those behind the boxes there are */
    int alike;          /* runs that moved on as the one before */
    int runs;           /* of the next box */
    int vain, rests;
    int served;
    long unseen; /* iterations since this thread looked for messages */
    /* The last run. */
    int slots;
    struct fathom_slot slot[FATHOM_STRIP_SLOTS];
    long trips, step, rest;
    long by_first[FATHOM_STRIP_SLOTS], by_base[FATHOM_STRIP_SLOTS], by_trips; /* how far it moved on */
    int moves, usual; /* how often it has moved on so, and how often it did the last time, or 0 */
    fathom_ptr sample[3];
    struct gas_gathered have; /* what it points to is there until the next box is begun */
    struct fathom_gather table;
    long by;         /* elements */
    struct box *box; /* two */
};

bool gas_foreseen_is_on;
unsigned long fathom_foreseen;       /* runs that found what they read, */
unsigned long fathom_foreseen_bytes; /* and bytes fetched, for tests */
static struct loop *loops, *asked;   /* asked: the one that gas_foreseen_begin is about */
static size_t wanted;                /* runs, as the environment has it, or 0 */
static int whole;                    /* boxes */

void gas_foreseen_start(size_t most) {
    loops = core_table(LOOPS, sizeof *loops);
    wanted = most < MOST_RUNS ? most : MOST_RUNS;
    gas_foreseen_is_on = true;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static bool is_usable(const struct box *b) { return b->is_whole && b->epoch == gas_lines_epoch; }

static void give_up(struct loop *l, struct box *b) {
    if (!b->is_whole) return;
    b->is_whole = false;
    whole--;
    if (b->was_used || wanted) {
        l->vain = 0;
    } else if (++l->vain == IN_VAIN) {
        l->vain = 0;
        l->rests = RESTS;
    }
    l->runs = 0;
}

static void give_up_all(struct loop *l) {
    for (int i = 0; i < 2 && l->box; i++) give_up(l, &l->box[i]);
}

/* The box that has the run at hand, if it may be used. What is void is given up. */
static struct box *box_of_run(struct loop *l) {
    for (int i = 0; i < 2 && l->box; i++)
        if (l->box[i].is_whole && !is_usable(&l->box[i])) give_up(l, &l->box[i]);
    for (int i = 0; i < 2 && l->box; i++) {
        struct box *b = &l->box[i];
        if (b->is_whole && b->first <= l->run && l->run < b->behind) return b;
    }
    return NULL;
}

/* A box for the runs from *first on, which come after those that have been fetched; or null, if that is not to be done now. */
static struct box *box_to_fill(struct loop *l, long *first) {
    if (l->alike < (wanted ? 1 : PATIENCE)) return NULL;
    if (l->rests) {
        l->rests--;
        return NULL;
    }
    if (!l->box) l->box = core_table(2, sizeof *l->box);
    struct box *free = NULL;
    *first = l->run + 1;
    for (int i = 0; i < 2; i++) {
        struct box *b = &l->box[i];
        if (!b->is_whole || b->behind <= l->run) {
            free = b;
        } else if (b->first > l->run) {
            return NULL; /* it is on its way */
        } else if (b->behind > *first) {
            *first = b->behind;
        }
    }
    if (free) gas_transfer_wait(&free->transfer); /* one that was given up */
    return free;
}

static void reserve(struct box *b, size_t bytes) {
    if (bytes <= b->size) return;
    b->size = bytes + bytes / 2;
    b->bytes = gas_strip_aligned(b->bytes, b->size);
    memset(b->bytes, 0, b->size);
}

/* Runs of the next box. */
static long wished(const struct loop *l) { return wanted ? (long)wanted : l->runs < 2 ? 2 : l->runs; }

static void filled(struct loop *l, struct box *b, long first, long runs) {
    whole += !b->is_whole;
    b->is_whole = true;
    b->was_used = false;
    b->epoch = gas_lines_filled = gas_lines_epoch;
    core_is_holding = true;
    b->first = first;
    b->behind = first + runs;
    l->runs = (int)(2 * runs);
}

static void has_bytes(struct box *b, fathom_ptr p, size_t n) {
    long low = (long)fathom_offset_of(p), high = low + (long)n;
    if (b->high == 0 || low < b->low) b->low = low;
    if (high > b->high) b->high = high;
}

void gas_foreseen_change(fathom_ptr p, size_t n) {
    gas_rows_change(p, n);
    long low = (long)fathom_offset_of(p), high = low + (long)n;
    for (struct loop *l = loops; whole > 0 && l < loops + LOOPS; l++)
        for (int i = 0; i < 2 && l->box; i++) {
            struct box *b = &l->box[i];
            if (!is_usable(b) || (low < b->high && b->low < high)) give_up(l, b);
        }
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static struct loop *find(const void *at, int gather) {
    struct loop *l = &loops[((uintptr_t)at / 4 + (uintptr_t)(gather + 1) * 7) % LOOPS];
    if (l->at != at || l->gather != gather) {
        give_up_all(l);
        struct box *box = l->box;
        *l = (struct loop){.at = at, .gather = gather, .box = box};
    }
    asked = NULL;
    return l;
}

/* ---- loops in strips --------------------------------------------------------------------------------------------- */

/* The loop has begun elsewhere. If it moved on in the same way often, it is expected to do so again, and as often: a nest of loops runs again, perhaps in the
 * next step of a program, or in one more loop around it. */
static bool foretell(struct loop *l) {
    if (l->moves <= PATIENCE) {
        l->usual = 0;
        return false;
    }
    l->usual = l->moves;
    l->alike = PATIENCE;
    l->moves = 0;
    return true; /* by_first, by_base and by_trips stay */
}

/* Has the loop moved on as it did before? */
static void compare(struct loop *l, const struct fathom_strip *s) {
    bool alike = l->slots == s->slots && l->step == s->step, first = !alike || l->alike == 0;
    long by_first[FATHOM_STRIP_SLOTS], by_base[FATHOM_STRIP_SLOTS], by_trips = s->trips - l->trips;
    for (int i = 0; i < s->slots && alike; i++) {
        const struct fathom_slot *t = &s->slot[i], *u = &l->slot[i];
        by_first[i] = t->first - u->first;
        by_base[i] = t->base - u->base;
        alike = t->thread == u->thread && t->block == u->block && t->size == u->size && t->extra == u->extra;
        if (by_first[i] == l->by_first[i] && by_base[i] == l->by_base[i]) continue;
        first = true;
        long most = LONG_MAX / 1024 / t->size;
        alike = alike && by_first[i] < most && by_first[i] > -most && by_base[i] < most && by_base[i] > -most;
    }
    if (!alike || first) {
        give_up_all(l);
        l->nothing_before = 0;
    }
    if (!alike) {
        l->alike = l->moves = l->usual = 0;
    } else if (!first || !foretell(l)) {
        l->alike = first ? 1 : l->alike + 1;
        l->moves = first ? 1 : l->moves + 1;
        l->by_trips = by_trips;
        memcpy(l->by_first, by_first, (size_t)s->slots * sizeof *by_first);
        memcpy(l->by_base, by_base, (size_t)s->slots * sizeof *by_base);
    }
    l->slots = s->slots;
    l->trips = s->trips;
    l->step = s->step;
    l->rest = gas_strip_rest(s);
    memcpy(l->slot, s->slot, (size_t)s->slots * sizeof *l->slot);
}

static bool is_still(const struct loop *l) {
    bool still = l->by_trips == 0;
    for (int i = 0; i < l->slots; i++) still &= l->by_first[i] == 0 && l->by_base[i] == 0;
    return still;
}

/* While the runs of one box compute and the next one is on its way, others may wait for theirs: this thread looks after some iterations. Where nothing is on
 * its way it does not, because over TCP a look costs a microsecond. */
static void look_around(struct loop *l, const struct box *b, long n) {
    if (l->box[b == l->box].transfer.answers == 0 || (l->unseen += n) < LOOKS) return;
    l->unseen = 0;
    core_poll();
}

enum gas_foreseen gas_foreseen_take(const struct fathom_strip *s, long n, char *room[FATHOM_STRIP_SLOTS]) {
    struct loop *l = find(s->loop, -1);
    compare(l, s);
    asked = l;
    if (!is_still(l))
        l->run++;
    else if (l->served++ == SERVES)
        give_up_all(l);
    struct box *b = box_of_run(l);
    long r = b ? l->run - b->first : 0;
    if (!b || b->count[r] != n) return GAS_FORESEEN_NOT;
    gas_transfer_wait(&b->transfer);
    if (!is_usable(b)) return GAS_FORESEEN_NOT;
    b->was_used = true;
    fathom_foreseen++;
    look_around(l, b, n);
    memcpy(room, b->room[r], (size_t)s->slots * sizeof *room);
    return b->has_elements ? GAS_FORESEEN_ELEMENTS : GAS_FORESEEN_ROOMS;
}

/* The box that is being filled, and its pieces. */
static struct box *filling;
static struct gas_pieces pieces;

static void begin_pieces(struct box *b) {
    b->low = b->high = 0;
    b->pieces = 0;
    pieces.count = 0;
    filling = b;
}

static void note(fathom_ptr from, char *to, size_t bytes) {
    gas_pieces_add(&pieces, from, to, bytes);
    has_bytes(filling, from, bytes);
    fathom_foreseen_bytes += bytes;
}

/* Slot i as it is `runs` runs after the last one. */
static struct fathom_slot moved_on(const struct loop *l, int i, long runs) {
    struct fathom_slot t = l->slot[i];
    t.first += runs * l->by_first[i];
    t.base += runs * l->by_base[i];
    return t;
}

/* The iterations of the first strip in the run that is so many runs after the last one. */
static long first_strip(const struct loop *l, long ahead) {
    long n = l->trips + ahead * l->by_trips;
    return n > l->step + l->rest ? l->step : n;
}

/* Fills a box with rows that several of its runs read; returns how many runs it has, or 0. */
static long fill_rows(struct loop *l, struct box *b, long first, long most) {
    struct fathom_slot slot[FATHOM_STRIP_SLOTS];
    long n = first_strip(l, first - l->run);
    size_t bytes = 0, alone;
    for (int i = 0; i < l->slots; i++) slot[i] = moved_on(l, i, first - l->run);
    if (n <= 0 || !gas_foreseen_rows(slot, l->by_first, l->by_base, l->slots, n, 1, &alone)) return 0;
    for (; most > 0 && first_strip(l, first + most - 1 - l->run) != n;) most /= 2;
    for (; most > 0; most /= 2) {
        if (!gas_foreseen_rows(slot, l->by_first, l->by_base, l->slots, n, most, &bytes)) return 0;
        if (bytes <= BOX_BYTES) break;
    }
    if (most == 0 || bytes == 0) return 0;
    /* What each run adds to those before it. */
    if ((most > 1 ? (bytes - alone) / (size_t)(most - 1) : bytes) > RUN_BYTES) return 0;
    reserve(b, bytes);
    begin_pieces(b);
    for (long r = 0; r < most; r++) b->count[r] = n;
    b->has_elements = gas_foreseen_rows_arrange(b->bytes, b->room, note, NULL);
    for (long r = 0; r < most && !b->has_elements; r++)
        for (int i = 0; i < l->slots; i++) b->room[r][i] -= (uintptr_t)b->room[r][i] % GAS_ROOM_ALIGNED;
    return most;
}

/* Fills a box with what each slot reads in each run. */
static long fill_runs(struct loop *l, struct box *b, long first, long most) {
    size_t bytes = 0, at[MOST_RUNS][FATHOM_STRIP_SLOTS];
    long runs = 0;
    for (; runs < most; runs++) {
        long ahead = first + runs - l->run, n = first_strip(l, ahead);
        if (n <= 0) break;
        b->count[runs] = n;
        size_t run = 0;
        for (int i = 0; i < l->slots; i++) {
            struct fathom_slot t = moved_on(l, i, ahead);
            at[runs][i] = bytes + run;
            run += gas_strip_extent(&t, 0, n + t.extra);
        }
        if (run > RUN_BYTES || bytes + run > BOX_BYTES) break;
        bytes += run;
    }
    if (runs == 0 || bytes == 0) return 0;
    reserve(b, bytes);
    begin_pieces(b);
    b->has_elements = false;
    for (long r = 0; r < runs; r++)
        for (int i = 0; i < l->slots; i++) {
            struct fathom_slot t = moved_on(l, i, first + r - l->run);
            b->room[r][i] = b->bytes + at[r][i];
            gas_strip_arrange(&t, 0, b->count[r] + t.extra, b->room[r][i], note);
        }
    return runs;
}

/* The loop moved on so often the last time: a box for the runs from `first` on has all of those that are left, but not more; false if there are none. */
static bool take_usual(const struct loop *l, long first, long *most) {
    long left = l->usual - l->moves - (first - l->run - 1);
    if (!wanted || left < *most) *most = left < MOST_RUNS ? left : MOST_RUNS;
    return left > 0;
}

static void begin_strips(struct loop *l) {
    long first;
    bool still = is_still(l);
    if ((still && box_of_run(l)) || l->run < l->nothing_before) return;
    struct box *b = box_to_fill(l, &first);
    if (!b) return;
    long most = still ? 1 : wished(l);
    if (most > MOST_RUNS) most = MOST_RUNS;
    if (still)
        first = l->run, l->served = 0;
    else if (l->moves <= l->usual && !take_usual(l, first, &most))
        return;
    pieces.count = 0;
    long runs = fill_rows(l, b, first, most);
    if (!runs) runs = fill_runs(l, b, first, most);
    if (!runs || pieces.count == 0) {
        l->nothing_before = first + most / 2;
        return;
    }
    filled(l, b, first, runs);
    fathom_strips_fetched++;
    gas_pieces_get(&b->transfer, pieces.list, pieces.count);
}

/* ---- loops that gather ------------------------------------------------------------------------------------------- */

static bool moved_by(const fathom_ptr *p, const fathom_ptr *q, size_t size) {
    return p[0] == q[0] + size && p[1] == q[1] + size && p[2] == q[2] + size;
}

/* The number of the element at a place, and the other way round. A table's pointer may have a phase, which is not known here: then
 * what is expected is wrong, and is not used. */
static long number_of(const struct fathom_gather *g, fathom_ptr p) {
    struct fathom_slot t = gas_strip_table(g->start, 0, (unsigned long)g->block, (unsigned long)g->size);
    if (!g->block) return (long)(p - g->start) / g->size;
    return gas_strip_element(&t, p);
}
static fathom_ptr place_of(const struct fathom_gather *g, long number) {
    struct fathom_slot t = gas_strip_table(g->start, 0, (unsigned long)g->block, (unsigned long)g->size);
    if (!g->block) return g->start + (uint64_t)(number * g->size);
    return gas_strip_place(&t, number);
}

/* Copies the elements, if all of them are where they were expected. */
static bool copy_out(const struct box *b, size_t skip, char *to, const fathom_ptr *places, size_t size) {
    const char *from = b->bytes + skip;
    for (size_t k = 0; k < b->n; k++) {
        fathom_ptr p = places[k];
        if (p != (b->places[k] ? b->places[k] + skip : 0)) return false;
        if (!p) continue;
        const char *element = fathom_is_near(p) ? fathom_local(p) : from + k * b->each;
        if (size == 8)
            memcpy(to + k * 8, element, 8);
        else
            memcpy(to + k * size, element, size);
    }
    return true;
}

/* The same of pieces, those of run r of the box. */
static bool copy_pieces(const struct box *b, size_t r, char *to, const struct gas_gathered *have, size_t size) {
    if (have->count != b->pieces) return false;
    const char *from = b->bytes + r * b->n * size;
    const fathom_ptr *places = b->places + r * b->pieces;
    for (size_t i = 0; i < have->count; i++) {
        fathom_ptr p = have->runs[i].from;
        if (p != places[i] || have->runs[i].count != b->lengths[i]) return false;
        size_t bytes = have->runs[i].count * size;
        memcpy(to, fathom_is_near(p) ? fathom_local(p) : from, bytes);
        to += bytes, from += bytes;
    }
    return true;
}

/* Has the loop moved on, all of it by the same distance? */
static bool is_alike(struct loop *l, const struct fathom_gather *g, const struct gas_gathered *have) {
    fathom_ptr sample[3] = {have->places[0], have->places[have->n / 2], have->places[have->n - 1]};
    bool alike =
        l->have.n == have->n && l->table.start == g->start && l->table.size == g->size && l->table.block == g->block;
    long by = 0;
    if (!have->count) {
        alike &= sample[0] && moved_by(sample, l->sample, (size_t)g->size);
        by = 1;
    } else if (alike && l->have.count) {
        by = number_of(g, sample[0]) - number_of(g, l->sample[0]);
    }
    alike &= by != 0 && (l->alike == 0 || by == l->by);
    memcpy(l->sample, sample, sizeof sample);
    l->by = by;
    l->have = *have;
    l->table = *g;
    return alike;
}

bool gas_foreseen_gather(const struct fathom_strip *s, int g, char *to, const struct gas_gathered *have) {
    size_t n = have->n, size = (size_t)s->gather[g].size;
    if (n == 0 || n > MOST_PLACES || n * size > BOX_BYTES / 2) return false;
    struct loop *l = find(s->loop, g);
    bool alike = is_alike(l, &s->gather[g], have);
    if (!alike) give_up_all(l);
    l->alike = alike ? l->alike + 1 : 0;
    l->run++;
    asked = l;
    struct box *b = box_of_run(l);
    if (!b || b->n != n) return false;
    gas_transfer_wait(&b->transfer);
    if (!is_usable(b)) return false;
    size_t r = (size_t)(l->run - b->first);
    if (!(b->pieces ? copy_pieces(b, r, to, have, size) : copy_out(b, r * size, to, have->places, size))) {
        give_up_all(l);
        l->alike = 0;
        return false;
    }
    b->was_used = true;
    fathom_foreseen++;
    return true;
}

static fathom_ptr *reserve_places(struct box *b, size_t n) {
    if (n > b->places_size) b->places = gas_strip_sized(b->places, (b->places_size = n) * sizeof *b->places);
    return b->places;
}

static bool is_in_segment(fathom_ptr p, size_t n) { return fathom_offset_of(p) + n <= core_memory.segment_bytes; }

static void begin_pieces_of_runs(struct loop *l, struct box *b, long first, long runs) {
    size_t size = (size_t)l->table.size, count = l->have.count;
    reserve(b, (size_t)runs * b->n * size);
    fathom_ptr *places = reserve_places(b, (size_t)runs * count);
    b->lengths = gas_strip_sized(b->lengths, count * sizeof *b->lengths);
    b->pieces = count;
    char *to = b->bytes;
    for (long r = 0; r < runs; r++)
        for (size_t i = 0; i < count; i++, places++) {
            size_t bytes = l->have.runs[i].count * size;
            b->lengths[i] = l->have.runs[i].count;
            *places = place_of(&l->table, number_of(&l->table, l->have.runs[i].from) + (first + r - l->run) * l->by);
            if (!fathom_is_near(*places) && is_in_segment(*places, bytes)) note(*places, to, bytes);
            to += bytes;
        }
}

static bool begin_pieces_of_places(struct loop *l, struct box *b, long first, long runs) {
    size_t size = (size_t)l->table.size, skip = (size_t)(first - l->run) * size;
    fathom_ptr *places = reserve_places(b, b->n);
    b->each = (size_t)runs * size;
    reserve(b, b->n * b->each);
    for (size_t k = 0; k < b->n; k++) {
        fathom_ptr p = l->have.places[k];
        places[k] = p ? p + skip : 0;
        if (!p || fathom_is_near(p)) continue;
        if (!is_in_segment(places[k], b->each)) return false;
        note(places[k], b->bytes + k * b->each, b->each);
    }
    return true;
}

static void begin_gather(struct loop *l) {
    long first;
    struct box *b = box_to_fill(l, &first);
    if (!b) return;
    size_t size = (size_t)l->table.size;
    b->n = l->have.n;
    long runs = wished(l), most = BOX_BYTES / (long)(size * b->n);
    if (!l->have.count && most > MOST_EACH / (long)size) most = MOST_EACH / (long)size;
    if (most > MOST_RUNS) most = MOST_RUNS;
    if (runs > most) runs = most;
    if (runs < 2 && !wanted) return;
    begin_pieces(b);
    if (l->have.count)
        begin_pieces_of_runs(l, b, first, runs);
    else if (!begin_pieces_of_places(l, b, first, runs))
        return;
    if (pieces.count == 0) return;
    filled(l, b, first, runs);
    gas_gather_requests++;
    gas_pieces_get(&b->transfer, pieces.list, pieces.count);
}

void gas_foreseen_begin(void) {
    struct loop *l = asked;
    asked = NULL;
    if (!l) return;
    (l->gather < 0 ? begin_strips : begin_gather)(l);
}
