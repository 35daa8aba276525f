/* What the iterations of a upc_forall over rows read of far threads' rows: halo.h has the interface. A loop in strips inside the upc_forall reads a row in each
 * of its runs, and finds those that were fetched before the first one. */
#include <string.h>

#include "gas/foreseen.h"
#include "gas/gather.h"
#include "gas/halo.h"
#include "gas/lines.h"
#include "gas/slot.h"
#include "gas/sorted.h"
#include "gas/transfer.h"

enum {
    MOST_ROWS = 64,
    SERVES = 4096, /* runs: no value is kept for ever, so that who waits for one without a fence sees it */
    MOST_BYTES =
        131072, /* of all: where more is read, each run waits for what it reads, or has it fetched by the runs before */
};

static struct {
    struct gas_piece row[MOST_ROWS];
    size_t count, bytes;
    uint64_t epoch;
    bool are_there; /* in this epoch */
    int serves;
    char *room;
    size_t room_bytes;
} rows;

/* What a row takes of the room. */
static size_t room_of(size_t bytes) { return (bytes + CORE_LINE - 1) / CORE_LINE * CORE_LINE; }

/* Is the list full? */
static bool add_row(fathom_ptr from, size_t n) {
    for (size_t k = 0; k < rows.count; k++)
        if (rows.row[k].from == from && rows.row[k].bytes == n) return false;
    if (rows.count == MOST_ROWS || n > MOST_BYTES - rows.bytes) return true;
    rows.row[rows.count++] = (struct gas_piece){.from = from, .bytes = n};
    rows.bytes += room_of(n);
    return false;
}

/* Lists what a slot reads of far threads in the iterations `from` to `behind` - 1, which are counted from that of the slot. */
static bool add_rows(const struct fathom_slot *t, long by, long n, long from, long behind) {
    for (long i = from; i < behind; i++) {
        struct gas_slot_place p = gas_slot_place(t, i * by);
        if (gas_is_near_thread(p.thread)) {
            if (by > 0 && p.left != LONG_MAX) i += (p.left - 1) / by;
            continue;
        }
        long bytes = (p.left < n ? p.left : n) * t->size;
        if (p.offset < 0 || p.offset + bytes > (long)core_memory.segment_bytes) continue;
        if (add_row(fathom_make(p.thread, (unsigned long)p.offset), (size_t)bytes)) return true;
    }
    return false;
}

static bool list_rows(const struct fathom_strip *s, const struct fathom_strip *next, const struct fathom_own *o) {
    struct fathom_own own = *o;
    for (long behind; (behind = gas_next_own(&own)), own.next < own.hi; own.next = behind)
        for (int i = 0; i < s->slots; i++) {
            const struct fathom_slot *t = &s->slot[i], *u = &next->slot[i];
            if (add_rows(t, u->first - t->first, s->trips + t->extra, own.next - o->next, behind - o->next))
                return false;
        }
    return rows.count > 0;
}

void fathom_rows_fetch(const struct fathom_strip *s, const struct fathom_strip *next, const struct fathom_own *o) {
    if (!gas_foreseen_is_on || !s->may_run || !next->may_run) return;
    for (int i = 0; i < s->slots; i++)
        if (s->slot[i].thread != next->slot[i].thread || s->slot[i].base != next->slot[i].base) return;
    rows.are_there = false;
    rows.count = rows.bytes = 0;
    if (!list_rows(s, next, o) || !gas_site_is_admitted(__builtin_return_address(0))) return;
    CORE_GATE;
    if (rows.bytes > rows.room_bytes) {
        rows.room_bytes = 2 * rows.bytes;
        rows.room = gas_strip_aligned(rows.room, rows.room_bytes);
    }
    char *to = rows.room;
    for (size_t k = 0; k < rows.count; k++) {
        rows.row[k].to = to;
        to += room_of(rows.row[k].bytes);
    }
    struct gas_transfer t = {0};
    gas_pieces_get(&t, rows.row, rows.count);
    gas_transfer_wait(&t);
    fathom_strips_fetched++;
    rows.are_there = true;
    rows.serves = SERVES;
    rows.epoch = gas_lines_filled = gas_lines_epoch;
    core_is_holding = true;
}

bool gas_rows_have(fathom_ptr from, char *to, size_t n) {
    if (!rows.are_there || rows.epoch != gas_lines_epoch) return false;
    for (size_t k = 0; k < rows.count; k++) {
        const struct gas_piece *r = &rows.row[k];
        if (from < r->from || from + n > r->from + r->bytes) continue;
        memcpy(to, r->to + (from - r->from), n);
        rows.are_there = --rows.serves > 0;
        return true;
    }
    return false;
}

void gas_rows_change(fathom_ptr p, size_t n) {
    for (size_t k = 0; rows.are_there && k < rows.count; k++) {
        const struct gas_piece *r = &rows.row[k];
        if (p < r->from + r->bytes && r->from < p + n) rows.are_there = false;
    }
}
