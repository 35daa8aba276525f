/* Blocks in a heap: two-level segregated fit, so that an allocation or a release costs a few tens of nanoseconds
 * whatever the heap's history. Neighbours are merged at once, so that memory is reused for any size.
 *
 * Free blocks are kept in lists by class: row = power of two, step = sixteenths of it. A search looks through the list
 * of the size's own class (a few entries; all of them before the heap would otherwise be full) and then takes from the
 * first class whose blocks are all large enough. Headers stand apart from the program's bytes, so that a free block's
 * pages need not be memory. Each header carries a seal made from its address and its state. The seal shows, when a
 * pointer is freed, that it was freed before or never was a block, or that a write past the end of its neighbour has
 * hit the header.
 */
#include "gas/blocks.h"

#include "gas/gas_internal.h"

#define SEAL_USED 0x66617468751e5eedul
#define SEAL_FREE 0x66617468f4ee5eedul
#define SEAL_GONE 0x66617468907e5eedul /* merged into another free block */
#define FEW 24
#define AROUND 1024              /* blocks in which a place is looked for */
#define GROW_BY (256ul << 10)    /* small requests move a heap's edge in steps of this */
#define TRIM_FROM (1ul << 20)    /* a free block of this size at the edge goes back */
#define RETURN_FROM (64ul << 20) /* free blocks of this size give their pages back to the kernel */

static uint64_t at(const struct block *b) { return (uint64_t)b; }
static uint64_t start_of(const struct block *b) { return at(b) + BLOCK_HEADER; }
static uint64_t end_of(const struct block *b) { return start_of(b) + b->size; }
static struct block *header(uint64_t address) { return (struct block *)address; }
static uint64_t sealed(const struct block *b, uint64_t state) { return state ^ (at(b) * 0x9e3779b97f4a7c15ul); }
static bool is(const struct block *b, uint64_t state) { return b->seal == sealed(b, state); }

static _Noreturn void damaged(const struct block *b, const struct block *before) {
    if (before)
        gas_fatal("the shared heap is damaged at 0x%lx: something wrote beyond the end of the %lu bytes at 0x%lx",
                  fathom_word(b), before->asked, fathom_word(header(start_of(before))));
    gas_fatal("the shared heap is damaged at 0x%lx: something wrote before the start of an allocation", fathom_word(b));
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void class_of(uint64_t size, unsigned *row, unsigned *step) {
    uint64_t grains = size / BLOCK_GRAIN;
    if (grains < CLASS_STEPS) {
        *row = 0;
        *step = (unsigned)grains;
        return;
    }
    unsigned top = 63u - (unsigned)__builtin_clzl(grains);
    *row = top - 3;
    *step = (unsigned)(grains >> (top - 4)) & (CLASS_STEPS - 1);
}

static void enlist(struct blocks *h, struct block *b) {
    unsigned r, s;
    class_of(b->size, &r, &s);
    b->seal = sealed(b, SEAL_FREE);
    b->prev = NULL;
    b->next = h->free[r][s];
    if (b->next) b->next->prev = b;
    h->free[r][s] = b;
    h->steps[r] |= 1u << s;
    h->rows |= 1ul << r;
}

static void delist(struct blocks *h, struct block *b) {
    unsigned r, s;
    class_of(b->size, &r, &s);
    if (b->next) b->next->prev = b->prev;
    if (b->prev) {
        b->prev->next = b->next;
    } else {
        h->free[r][s] = b->next;
        if (!b->next && !(h->steps[r] &= ~(1u << s))) h->rows &= ~(1ul << r);
    }
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

static struct block *after(const struct blocks *h, const struct block *b) {
    if (end_of(b) >= h->high) return NULL;
    struct block *n = header(end_of(b));
    if ((!is(n, SEAL_USED) && !is(n, SEAL_FREE)) || n->before != end_of(b) - at(b)) damaged(n, b);
    return n;
}

static struct block *before(const struct blocks *h, const struct block *b) {
    if (!b->before) return NULL;
    struct block *p = header(at(b) - b->before);
    if (at(p) < h->low || (!is(p, SEAL_USED) && !is(p, SEAL_FREE)) || end_of(p) != at(b)) damaged(b, NULL);
    return p;
}

/* Where in `b` an aligned block would start: the first fitting address that leaves before it either room for a header and
 * a block, or nothing. */
static uint64_t place(uint64_t start, uint64_t align) {
    if (align <= BLOCK_GRAIN) return start;
    uint64_t p = (start + align - 1) & ~(align - 1);
    return p != start && p - start < BLOCK_HEADER + BLOCK_GRAIN ? p + align : p;
}

static bool fits(const struct block *b, size_t n, uint64_t align) { return place(start_of(b), align) + n <= end_of(b); }

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static struct block *find(const struct blocks *h, size_t n, uint64_t align, int few) {
    unsigned r, s, own_r, own_s;
    class_of(n, &own_r, &own_s);
    for (struct block *b = h->free[own_r][own_s]; b && few--; b = b->next)
        if (fits(b, n, align)) return b;
    class_of(align <= BLOCK_GRAIN ? n : n + 2 * align, &r, &s); /* larger than any of this class: sure to fit */
    if (r != own_r || s != own_s)
        for (struct block *b = h->free[r][s]; b && few--; b = b->next)
            if (fits(b, n, align)) return b;
    uint32_t steps = h->steps[r] & (s + 1 < 32 ? ~0u << (s + 1) : 0);
    if (!steps) {
        uint64_t rows = h->rows & (~0ul << (r + 1));
        if (!rows) return NULL;
        r = (unsigned)__builtin_ctzl(rows);
        steps = h->steps[r];
    }
    return h->free[r][__builtin_ctz(steps)];
}

/* Makes `n` bytes at `p` a used block; the rest of the free block `b`, before and behind, stays free. */
static void *carve(struct blocks *h, struct block *b, size_t n, uint64_t align) {
    uint64_t p = place(start_of(b), align), end = end_of(b);
    struct block *next = after(h, b);
    delist(h, b);
    struct block *mine = header(p - BLOCK_HEADER);
    if (mine != b) {
        b->size = at(mine) - start_of(b);
        enlist(h, b);
        mine->before = at(mine) - at(b);
        if (h->edge == b && !h->down) h->edge = mine;
    }
    mine->size = end - p;
    if (mine->size - n >= BLOCK_HEADER + BLOCK_GRAIN) {
        mine->size = n;
        struct block *rest = header(end_of(mine));
        rest->size = end - start_of(rest);
        rest->before = at(rest) - at(mine);
        enlist(h, rest);
        if (h->edge == mine && !h->down) h->edge = rest;
        mine = header(p - BLOCK_HEADER);
        if (next) next->before = at(next) - at(rest);
    } else if (next) {
        next->before = at(next) - at(mine);
    }
    mine->seal = sealed(mine, SEAL_USED);
    return (void *)p;
}

/* Grows the heap so that a free block at its edge has room for n bytes; null if it cannot. */
static struct block *grow(struct blocks *h, size_t n, uint64_t align) {
    struct block *edge = h->edge && is(h->edge, SEAL_FREE) ? h->edge : NULL;
    uint64_t need;
    if (!h->down) {
        need = place(edge ? start_of(edge) : h->high + BLOCK_HEADER, align) + n - h->high;
    } else {
        uint64_t p = (edge ? end_of(edge) : h->low) - n;
        if (align > BLOCK_GRAIN) p &= ~(align - 1);
        if (p > h->low) p = h->low & ~(align - 1); /* the free block has the size, but starts badly */
        need = h->low - (p - BLOCK_HEADER);
    }
    uint64_t more = need < GROW_BY ? GROW_BY : 0;
    uint64_t old_low = h->low, old_high = h->high;
    if (!blocks_move_edge(h, (int64_t)(need + more)) && !blocks_move_edge(h, (int64_t)need)) return NULL;
    if (edge) delist(h, edge);
    struct block *b;
    if (!h->down) {
        b = edge ? edge : header(old_high);
        if (!edge) b->before = h->edge ? at(b) - at(h->edge) : 0;
        b->size = h->high - start_of(b);
    } else {
        b = header(h->low);
        b->size = (edge ? end_of(edge) : old_low) - start_of(b);
        b->before = 0;
        struct block *next = edge ? (end_of(edge) < h->high ? header(end_of(edge)) : NULL) : h->edge;
        if (next) next->before = at(next) - at(b);
        if (edge) edge->seal = sealed(edge, SEAL_GONE);
    }
    h->edge = b;
    enlist(h, b);
    return b;
}

void blocks_start(struct blocks *h, const void *where, bool down) {
    h->low = h->high = (uint64_t)where;
    h->down = down;
}

void *blocks_take(struct blocks *h, size_t asked, uint64_t align) {
    size_t n = (asked + BLOCK_GRAIN - 1) & ~(BLOCK_GRAIN - 1);
    uint64_t own = n < BLOCK_PAGED ? BLOCK_GRAIN : BLOCK_PAGE;
    if (align < own) align = own;
    struct block *b = find(h, n, align, FEW);
    if (!b) b = grow(h, n, align);
    if (!b) b = find(h, n, align, INT32_MAX);
    if (!b) return NULL;
    void *p = carve(h, b, n, align);
    header((uint64_t)p - BLOCK_HEADER)->asked = asked;
    header((uint64_t)p - BLOCK_HEADER)->known = 0;
    return p;
}

/* ---- giving back ------------------------------------------------------------------------------------------------- */

struct block *blocks_find(const struct blocks *h, const void *start, bool *freed) {
    uint64_t p = (uint64_t)start;
    struct block *b = header(p - BLOCK_HEADER);
    *freed = false;
    if (p % BLOCK_GRAIN != 0 || at(b) < h->low || p >= h->high) return NULL;
    *freed = is(b, SEAL_FREE) || is(b, SEAL_GONE);
    return is(b, SEAL_USED) ? b : NULL;
}

struct block *blocks_find_around(const struct blocks *h, const void *place) {
    bool freed;
    struct block *b = blocks_find(h, place, &freed);
    uint64_t p = (uint64_t)place;
    if (b || p < h->low || p >= h->high) return b;
    b = header(h->low);
    for (int i = 0; b && i < AROUND; i++, b = after(h, b))
        if (p < end_of(b)) return p >= start_of(b) && is(b, SEAL_USED) ? b : NULL;
    return NULL;
}

void blocks_give(struct blocks *h, struct block *b) {
    if (b->size >= RETURN_FROM) blocks_release(h, start_of(b), end_of(b));
    struct block *n = after(h, b), *p = before(h, b);
    if (n && is(n, SEAL_FREE)) {
        struct block *beyond = after(h, n); /* asked while the two still agree on the distance between them */
        delist(h, n);
        n->seal = sealed(n, SEAL_GONE);
        b->size += BLOCK_HEADER + n->size;
        if (h->edge == n) h->edge = b;
        n = beyond;
    }
    if (p && is(p, SEAL_FREE)) {
        delist(h, p);
        b->seal = sealed(b, SEAL_GONE);
        p->size += BLOCK_HEADER + b->size;
        if (h->edge == b) h->edge = p;
        b = p;
    }
    if (n) n->before = at(n) - at(b);
    if (h->edge == b && b->size >= TRIM_FROM) {
        if (b->size >= RETURN_FROM) blocks_release(h, start_of(b), end_of(b));
        b->seal = sealed(b, SEAL_GONE);
        h->edge = h->down ? n : before(h, b);
        if (h->down && n) n->before = 0;
        blocks_move_edge(h, -(int64_t)(BLOCK_HEADER + b->size));
    } else {
        enlist(h, b);
    }
}
