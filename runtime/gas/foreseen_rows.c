/* Rows that several runs of a loop read, or several of its slots, fetched once for a box: foreseen.h has the interface.
 *
 *     for (i) for (j) … x[i - 1][j] + x[i][j - 1] + x[i][j + 1] + x[i + 1][j] …
 *
 * A slot moves on by the same distance in each run. So where slots are apart by so many of these distances, what one of them reads in a run is what
 * another one reads some runs later, and their *group* has a row for each run, and some more. Rows that overlap or touch are one piece. A slot that
 * does not move has one row. */
#include "gas/foreseen.h"
#include "gas/slot.h"

enum { ALIGNED = GAS_ROOM_ALIGNED };

static struct {
    struct fathom_slot slot;        /* the first one, in the first run */
    long by;                        /* bytes from one row to the next */
    long low, high;                 /* bytes of a row, counted from that slot's first element */
    long least, most;               /* the first run's rows: of the slots that join it, 0 is the first slot's */
    bool is_in_block, is_one_piece; /* all rows, */
    struct gas_slot_place first;    /* from this place on */
} groups[FATHOM_STRIP_SLOTS];
static int count, slots;
static long runs, fetched; /* runs of the box; iterations of each */
/* What each slot reads in run r: from `shift` on, of row r + `row` of its group. */
static struct {
    int group;
    long row, shift;
} reads[FATHOM_STRIP_SLOTS];

static long length_of(const struct fathom_slot *t) { return (fetched + t->extra) * t->size; }

/* Slots that read the same array, or what is on one thread, and move on alike. */
static bool are_alike(const struct fathom_slot *t, const struct fathom_slot *u) {
    return t->thread == u->thread && t->block == u->block && t->size == u->size && (!t->block || t->base == u->base);
}

/* Bytes from where one of these is to where the other one is. Elements of an array are counted as if they were one after the other. */
static long distance(const struct fathom_slot *t, const struct fathom_slot *u) {
    return (u->first - t->first) * t->size + (t->block ? 0 : u->base - t->base);
}

static bool joins(int g, const struct fathom_slot *t, long by, int i) {
    if (!are_alike(&groups[g].slot, t) || groups[g].by != by) return false;
    long apart = distance(&groups[g].slot, t), half = (by < 0 ? -by : by) / 2;
    long row = by ? (apart + (apart < 0 ? -half : half)) / by : 0, low = apart - row * by, high = low + length_of(t);
    if (row < groups[g].least - runs || row > groups[g].most + runs) return false;
    if (low > groups[g].high || high < groups[g].low) return false;
    if (low < groups[g].low) groups[g].low = low;
    if (high > groups[g].high) groups[g].high = high;
    if (row < groups[g].least) groups[g].least = row;
    if (row > groups[g].most) groups[g].most = row;
    reads[i].group = g;
    reads[i].row = row;
    reads[i].shift = low;
    return true;
}

static long rows_of(int g) { return groups[g].by ? groups[g].most - groups[g].least + runs : 1; }

/* `rows` rows of a group from row `row` on, as one piece; false if they are in several blocks. */
static bool place(int g, long row, long rows, struct gas_slot_place *at, long *bytes) {
    struct fathom_slot t = groups[g].slot;
    long by = groups[g].by, shift = row * by + groups[g].low + (by < 0 ? (rows - 1) * by : 0);
    *bytes = groups[g].high - groups[g].low + (rows - 1) * (by < 0 ? -by : by);
    if (t.block)
        t.first += shift / t.size;
    else
        t.base += shift;
    if (groups[g].is_in_block) { /* no division for each row */
        *at = groups[g].first;
        at->offset += (by < 0 ? row - groups[g].least - rows_of(g) + rows : row - groups[g].least) * by;
        return true;
    }
    *at = gas_slot_place(&t, 0);
    return at->left >= *bytes / t.size;
}

static size_t room_of(const struct gas_slot_place *p, long bytes) {
    if (gas_strip_is_in_place(p->thread, p->offset, p->offset + bytes)) return 0;
    return ((size_t)bytes + 2 * ALIGNED - 1) / ALIGNED * ALIGNED;
}

bool gas_foreseen_rows(const struct fathom_slot *slot, const long *by_first, const long *by_base, int many, long n,
                       long boxed, size_t *room) {
    count = 0;
    slots = many;
    runs = boxed;
    fetched = n;
    for (int i = 0; i < slots; i++) {
        const struct fathom_slot *t = &slot[i];
        if (t->block && by_base[i]) return false;
        long by = by_first[i] * t->size + by_base[i];
        bool found = false;
        for (int g = 0; g < count && !found; g++) found = joins(g, t, by, i);
        if (found) continue;
        groups[count].slot = *t;
        groups[count].by = by;
        groups[count].low = groups[count].least = groups[count].most = 0;
        groups[count].high = length_of(t);
        reads[i].group = count++;
        reads[i].row = reads[i].shift = 0;
    }
    size_t sum = 0;
    struct gas_slot_place p;
    long bytes;
    for (int g = 0; g < count; g++) {
        long rows = rows_of(g), by = groups[g].by < 0 ? -groups[g].by : groups[g].by;
        groups[g].is_in_block = false;
        groups[g].is_in_block = place(g, groups[g].least, rows, &groups[g].first, &bytes);
        groups[g].is_one_piece = groups[g].is_in_block && by <= groups[g].high - groups[g].low + ALIGNED;
        p = groups[g].first;
        if (groups[g].is_one_piece) {
            sum += room_of(&p, bytes);
            continue;
        }
        for (long r = 0; r < rows; r++) {
            if (!place(g, groups[g].least + r, 1, &p, &bytes)) return false;
            sum += room_of(&p, bytes);
        }
    }
    *room = sum;
    return true;
}

/* Where the slots of a group find what they read of `rows` rows from row `row` on, which begin at `at`. */
static void give_rooms(int g, long row, long rows, const char *at, char *room[][FATHOM_STRIP_SLOTS]) {
    long by = groups[g].by, lowest = by < 0 ? row + rows - 1 : row;
    for (int i = 0; i < slots; i++) {
        if (reads[i].group != g) continue;
        long from = by ? row - reads[i].row : 0, behind = by ? from + rows : runs;
        for (long r = from < 0 ? 0 : from; r < behind && r < runs; r++) {
            long skip = by ? (r + reads[i].row - lowest) * by : 0;
            uintptr_t first = (uintptr_t)at + (uintptr_t)(skip + reads[i].shift - groups[g].low);
            room[r][i] = (char *)first;
        }
    }
}

bool gas_foreseen_rows_arrange(char *to, char *room[][FATHOM_STRIP_SLOTS],
                               void (*piece)(fathom_ptr from, char *to, size_t bytes),
                               void (*near)(fathom_ptr from, char *to, size_t bytes)) {
    long limit = (long)core_memory.segment_bytes;
    bool all = true;
    for (int g = 0; g < count; g++) {
        long rows = rows_of(g), each = groups[g].is_one_piece ? rows : 1;
        for (long r = groups[g].least; r < groups[g].least + rows; r += each) {
            struct gas_slot_place p;
            long bytes;
            (void)place(g, r, each, &p, &bytes);
            long low = p.offset < 0 ? 0 : p.offset, high = p.offset + bytes < limit ? p.offset + bytes : limit;
            char *at = to + ((uintptr_t)p.offset & (ALIGNED - 1));
            if (gas_strip_is_in_place(p.thread, p.offset, p.offset + bytes))
                at = fathom_local(fathom_make(p.thread, (unsigned long)p.offset));
            else if (gas_is_near_thread(p.thread) && !near)
                all = false;
            else if (low < high)
                (gas_is_near_thread(p.thread) ? near : piece)(fathom_make(p.thread, (unsigned long)low),
                                                              at + (low - p.offset), (size_t)(high - low));
            give_rooms(g, r, each, at, room);
            to += room_of(&p, bytes);
        }
    }
    return all;
}
