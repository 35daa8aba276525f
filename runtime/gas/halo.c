/* What the iterations of a upc_forall read of the blocks beside this thread's own: its halo. lang/strip.h has the interface, and the plan
 * (crates/lower) the loops for which it is used: the blocks of all slots are as long as those of the iterations.
 *
 * From one block of this thread to its next one, everything that is read moves on by one block in its thread's segment. So one pattern
 * serves all blocks: the pieces of memory that a block's iterations read, and the runs of iterations in which the elements of each slot
 * follow each other, in a piece or joined from several. What lies on far threads is fetched for many blocks together, a row for
 * each piece of the pattern, and the next blocks' while the loop computes. What is near is read in place, or joined from there.
 *
 * The first and the last block may have fewer iterations. What only the others would read is fetched, too, if it is in the
 * segment, and not used.
 */
#include "gas/halo.h"

#include <string.h>

#include "gas/slot.h"
#include "gas/transfer.h"

enum {
    MOST_BYTES = 131072, /* that are fetched together */
    LEAST_BLOCK = 65,    /* iterations: in shorter blocks, all that a slot reads is joined */
};

/* Elements that follow each other in the memory of one thread; in block k, k times `stride` bytes further on. */
struct piece {
    long first, n; /* of what the slot reads for a block */
    long thread, offset, stride;
    size_t bytes;
    long from_block, to_block; /* those for which it lies in the segment */
    bool is_fetched;
    long row;       /* where block 0's would be in the room of what is fetched */
    const char *at; /* in block k, k times `step` bytes further on */
    long step;
};

struct copy {
    const struct piece *piece;
    size_t skip, bytes;
    int slot;
    size_t to; /* in the slot's room */
};

struct run {
    long first, n; /* iterations of the block */
    struct {
        const struct piece *piece; /* null: joined */
        size_t skip;
    } slot[FATHOM_STRIP_SLOTS];
    size_t copies, copies_end;
};

static struct {
    struct piece *piece; /* slot by slot: those of slot i from slot_begin[i] on */
    struct piece **far;  /* those that are fetched, thread by thread, and their rows */
    struct gas_row *row;
    size_t fetched, far_room, row_room;
    struct run *run;
    struct copy *copy;
    long *cut;
    size_t pieces, runs, copies, cuts, piece_room, run_room, copy_room, cut_room;
    size_t slot_begin[FATHOM_STRIP_SLOTS + 1];
    char *joined[FATHOM_STRIP_SLOTS]; /* the room of each slot */
    size_t joined_bytes[FATHOM_STRIP_SLOTS];
    /* The loop's iterations; the first one of block 0, in the loop or not; from one block to the next; blocks. */
    long lo, hi, start, round, blocks;
    long block; /* at hand */
    size_t next_run;
    long together, landed, coming; /* blocks: fetched together; what these read has come; is on its way, or has come */
    struct gas_transfer transfer;
    char *room[2]; /* of what has come, and of what comes next */
    size_t room_bytes[2];
    int which;
} halo;

/* Room for one more of a list. */
static void *grown(void *list, size_t count, size_t *room, size_t size) {
    if (count < *room) return list;
    *room = 2 * count + 16;
    return gas_strip_sized(list, *room * size);
}

static char *reserved(char *memory, size_t *has, size_t bytes) {
    if (bytes <= *has) return memory;
    *has = bytes + bytes / 2;
    memory = gas_strip_aligned(memory, *has);
    memset(memory, 0, *has);
    return memory;
}

/* ---- the pattern ------------------------------------------------------------------------------------------------- */

static long most(long a, long b) { return a > b ? a : b; }
static long least(long a, long b) { return a < b ? a : b; }

/* The pieces of n elements of a slot, of which the first is element `begin`. */
static void add_pieces(const struct fathom_slot *t, long begin, long n, bool forced) {
    for (long at = 0; at < n;) {
        struct gas_slot_place place = gas_slot_place(t, begin + at);
        struct piece p = {.first = at, .thread = place.thread, .offset = place.offset};
        p.n = least(place.left, n - at);
        p.bytes = (size_t)(p.n * t->size);
        p.stride = t->block * t->size;
        long room = (long)core_memory.segment_bytes - (long)p.bytes - p.offset;
        p.from_block = p.offset >= 0 ? 0 : (p.stride - 1 - p.offset) / p.stride;
        p.to_block = room < 0 ? 0 : least(room / p.stride + 1, halo.blocks);
        p.is_fetched = forced || !gas_is_near_thread(p.thread);
        if (p.is_fetched) {
            p.step = (long)p.bytes;
        } else {
            p.step = p.stride;
            p.at = (const char *)((uintptr_t)fathom_local(fathom_make(p.thread, 0)) + (uintptr_t)p.offset);
        }
        halo.piece = grown(halo.piece, halo.pieces, &halo.piece_room, sizeof p);
        halo.piece[halo.pieces++] = p;
        at += p.n;
    }
}

/* Lists the pieces that are fetched; returns how many bytes these are for a block. */
static size_t list_fetched(void) {
    size_t bytes = 0;
    halo.fetched = 0;
    for (size_t k = 0; k < halo.pieces; k++) {
        struct piece *p = &halo.piece[k];
        if (!p->is_fetched) continue;
        bytes += p->bytes;
        halo.far = grown(halo.far, halo.fetched, &halo.far_room, sizeof(struct piece *));
        halo.row = grown(halo.row, halo.fetched, &halo.row_room, sizeof *halo.row);
        size_t i = halo.fetched++;
        for (; i > 0 && halo.far[i - 1]->thread > p->thread; i--) halo.far[i] = halo.far[i - 1];
        halo.far[i] = p;
    }
    return bytes;
}

static void add_cut(long at, long block) {
    if (at <= 0 || at >= block) return;
    size_t i = halo.cuts;
    while (i > 0 && halo.cut[i - 1] > at) i--;
    if (i > 0 && halo.cut[i - 1] == at) return;
    halo.cut = grown(halo.cut, halo.cuts, &halo.cut_room, sizeof *halo.cut);
    memmove(halo.cut + i + 1, halo.cut + i, (halo.cuts++ - i) * sizeof *halo.cut);
    halo.cut[i] = at;
}

/* What slot i reads in the run: in one piece, or joined. */
static void find(struct run *r, int i, const struct fathom_slot *t) {
    long begin = r->first, end = r->first + r->n + t->extra;
    r->slot[i].piece = NULL;
    for (size_t k = halo.slot_begin[i]; k < halo.slot_begin[i + 1]; k++) {
        const struct piece *p = &halo.piece[k];
        long from = most(begin, p->first), to = least(end, p->first + p->n);
        if (from >= to) continue;
        size_t skip = (size_t)((from - p->first) * t->size);
        if (from == begin && to == end) {
            r->slot[i].piece = p;
            r->slot[i].skip = skip;
            return;
        }
        struct copy c = {.piece = p, .skip = skip, .slot = i, .to = (size_t)((from - begin) * t->size)};
        c.bytes = (size_t)((to - from) * t->size);
        halo.copy = grown(halo.copy, halo.copies, &halo.copy_room, sizeof c);
        halo.copy[halo.copies++] = c;
    }
    halo.joined[i] = reserved(halo.joined[i], &halo.joined_bytes[i], (size_t)((end - begin) * t->size));
}

/* Cuts the block into runs, where a slot's elements begin or end to follow each other. */
static void make_runs(const struct fathom_strip *s, long block) {
    halo.cuts = 0;
    for (int i = 0; i < s->slots && block >= LEAST_BLOCK; i++)
        for (size_t k = halo.slot_begin[i]; k < halo.slot_begin[i + 1]; k++) {
            const struct piece *p = &halo.piece[k];
            add_cut(p->first, block);
            add_cut(p->first + p->n - s->slot[i].extra, block);
        }
    halo.runs = halo.copies = 0;
    for (size_t k = 0; k <= halo.cuts; k++) {
        struct run r = {.first = k ? halo.cut[k - 1] : 0, .copies = halo.copies};
        r.n = (k < halo.cuts ? halo.cut[k] : block) - r.first;
        for (int i = 0; i < s->slots; i++) find(&r, i, &s->slot[i]);
        r.copies_end = halo.copies;
        halo.run = grown(halo.run, halo.runs, &halo.run_room, sizeof r);
        halo.run[halo.runs++] = r;
    }
}

/* Does the piece lie in the segment in part, for some block? Only the part may be read. */
static bool is_cut(const struct piece *p) {
    long before = p->from_block - 1, behind = most(p->to_block, p->from_block);
    return (before >= 0 && before < halo.blocks && p->offset + before * p->stride + (long)p->bytes > 0) ||
           (behind < halo.blocks && p->offset + behind * p->stride < (long)core_memory.segment_bytes);
}

enum gas_halo gas_halo_begin(const struct fathom_strip *s, const struct fathom_own *o, size_t together, bool forced) {
    long number = fathom_floordiv(o->next + o->shift, o->block);
    long thread = number - fathom_div_threads(number) * fathom_threads;
    number += (fathom_mythread - thread + fathom_threads) % fathom_threads;
    halo.lo = o->next;
    halo.hi = o->hi;
    halo.start = number * o->block - o->shift;
    halo.round = o->block * fathom_threads;
    if (halo.start >= halo.hi) return GAS_HALO_NONE;
    halo.blocks = (halo.hi - halo.start - 1) / halo.round + 1;
    halo.pieces = 0;
    for (int i = 0; i < s->slots; i++) {
        const struct fathom_slot *t = &s->slot[i];
        halo.slot_begin[i] = halo.pieces;
        add_pieces(t, halo.start - halo.lo, o->block + t->extra, forced);
    }
    halo.slot_begin[s->slots] = halo.pieces;
    size_t bytes = list_fetched();
    if (bytes == 0) return GAS_HALO_NONE;
    if (bytes > MOST_BYTES) return GAS_HALO_OTHER;
    for (size_t k = 0; k < halo.pieces; k++)
        if (is_cut(&halo.piece[k])) return GAS_HALO_OTHER;
    make_runs(s, o->block);
    halo.together = together ? (long)together : MOST_BYTES / (long)bytes;
    gas_transfer_wait(&halo.transfer); /* of a loop that was left */
    halo.block = halo.landed = halo.coming = 0;
    halo.next_run = 0;
    return GAS_HALO_BEGUN;
}

/* ---- what the blocks read ---------------------------------------------------------------------------------------- */

/* Where the rows of blocks `begin` to `end` - 1 land, those of one thread one after the other; returns the bytes of all. */
static size_t lay_out(long begin, long end) {
    size_t at = 0;
    for (size_t k = 0; k < halo.fetched; k++) {
        struct piece *p = halo.far[k];
        long from = most(begin, p->from_block), n = most(0, least(end, p->to_block) - from);
        fathom_ptr place = fathom_make(p->thread, (unsigned long)(p->offset + from * p->stride));
        halo.row[k] = (struct gas_row){place, p->stride, p->bytes, (size_t)n};
        p->row = (long)at - from * (long)p->bytes;
        at = gas_row_end(at, &halo.row[k]);
    }
    return at;
}

/* Begins to fetch what the blocks behind those that are on their way read. */
static void fetch(void) {
    long end = least(halo.coming + halo.together, halo.blocks);
    int which = !halo.which;
    size_t bytes = lay_out(halo.coming, end), at = 0;
    halo.room[which] = reserved(halo.room[which], &halo.room_bytes[which], bytes);
    for (size_t k = 0, next; k < halo.fetched; k = next) {
        size_t to = at;
        for (next = k; next < halo.fetched && halo.far[next]->thread == halo.far[k]->thread; next++)
            at = gas_row_end(at, &halo.row[next]);
        gas_transfer_get_rows(&halo.transfer, halo.room[which] + to, &halo.row[k], next - k);
        fathom_strips_fetched++;
    }
    halo.coming = end;
}

/* Waits for what the next blocks read. */
static void land(void) {
    CORE_GATE;
    if (halo.coming == halo.landed) fetch();
    gas_transfer_wait(&halo.transfer);
    halo.which = !halo.which;
    lay_out(halo.landed, halo.coming);
    for (size_t k = 0; k < halo.fetched; k++)
        halo.far[k]->at = (const char *)((uintptr_t)halo.room[halo.which] + (uintptr_t)halo.far[k]->row);
    halo.landed = halo.coming;
    if (halo.coming < halo.blocks) fetch();
}

static const char *place_of(const struct piece *p, size_t skip) {
    return (const char *)((uintptr_t)p->at + (uintptr_t)(halo.block * p->step) + skip);
}

static void join(const struct run *r) {
    for (size_t k = r->copies; k < r->copies_end; k++) {
        const struct copy *c = &halo.copy[k];
        if (halo.block < c->piece->from_block || halo.block >= c->piece->to_block) continue;
        const char *from = place_of(c->piece, c->skip);
        char *to = halo.joined[c->slot] + c->to;
        if (c->bytes == 8)
            memcpy(to, from, 8);
        else
            memcpy(to, from, c->bytes);
    }
}

long gas_halo_run(struct fathom_strip *s, long *first) {
    for (; halo.block < halo.blocks; halo.next_run = 0, halo.block++) {
        if (halo.block == halo.landed) land();
        long start = halo.start + halo.block * halo.round;
        while (halo.next_run < halo.runs) {
            const struct run *r = &halo.run[halo.next_run++];
            long begin = most(start + r->first, halo.lo), end = least(start + r->first + r->n, halo.hi);
            if (begin >= end) continue;
            join(r);
            long skip = begin - start - r->first;
            for (int i = 0; i < s->slots; i++) {
                const struct piece *p = r->slot[i].piece;
                s->slot[i].at = (p ? place_of(p, r->slot[i].skip) : halo.joined[i]) + skip * s->slot[i].size;
            }
            *first = begin;
            return end - begin;
        }
    }
    return 0;
}
