/* The pool of transfers, their handles, and test and wait on those; see handle.h. */
#include "gas/handle.h"

#include "gas/lines.h"
#include "gas/schedule.h"

#include <stdlib.h>

enum { FIRST_CHUNK = 256, CHUNKS = 24 }; /* each chunk is as large as all before it: 2^31 transfers */

static struct gas_transfer *chunks[CHUNKS];
static struct gas_transfer *free_transfers;
static int chunk_count;
static struct gas_part *free_parts;

static void *room(size_t n, size_t size) {
    void *p = calloc(n, size);
    if (!p) core_fatal("no memory for the record of a transfer; is every handle synchronised?");
    return p;
}

static size_t chunk_length(int c) { return c == 0 ? FIRST_CHUNK : (size_t)FIRST_CHUNK << (c - 1); }

static void grow(void) {
    if (chunk_count == CHUNKS) core_fatal("too many transfers under way; is every handle synchronised?");
    size_t first = chunk_count == 0 ? 0 : chunk_length(chunk_count), n = chunk_length(chunk_count);
    struct gas_transfer *t = room(n, sizeof *t);
    for (size_t i = n; i-- > 0;) {
        t[i].number = (uint32_t)(first + i);
        t[i].next_free = free_transfers;
        free_transfers = &t[i];
    }
    chunks[chunk_count++] = t;
}

struct gas_transfer *gas_transfer_new(void) {
    if (__builtin_expect(!free_transfers, 0)) grow();
    struct gas_transfer *t = free_transfers;
    free_transfers = t->next_free;
    t->is_live = true;
    t->uses++;
    return t;
}

static void release(struct gas_transfer *t) {
    t->is_live = false;
    t->next_free = free_transfers;
    free_transfers = t;
}

void gas_transfer_end(struct gas_transfer *t) {
    gas_transfer_wait(t);
    release(t);
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* 16 bits of uses, 10 of the thread + 1, so that no handle is GAS_DONE, and 32 of the number. */
static uint64_t word_of(const struct gas_transfer *t) {
    return (uint64_t)t->uses << 48 | (uint64_t)(fathom_mythread + 1) << 32 | t->number;
}

gas_handle gas_transfer_handle(struct gas_transfer *t) {
    if (t->answers == 0 && !t->parts && !t->has_notes) {
        release(t);
        return GAS_DONE;
    }
    return (gas_handle)(uintptr_t)word_of(t);
}

/* Null if there is none. */
static struct gas_transfer *look_up(gas_handle h) {
    uint64_t word = (uintptr_t)h;
    uint32_t number = (uint32_t)word;
    int c = number < FIRST_CHUNK ? 0 : 32 - __builtin_clz(number / FIRST_CHUNK);
    if (c >= chunk_count) return NULL;
    struct gas_transfer *t = &chunks[c][c == 0 ? number : number - chunk_length(c)];
    return t->is_live && word_of(t) == word ? t : NULL;
}

int gas_is_handle(gas_handle h) {
    CORE_GATE;
    return h == GAS_DONE || look_up(h) != NULL;
}

static struct gas_transfer *find(gas_handle h) {
    struct gas_transfer *t = look_up(h);
    if (__builtin_expect(!t, 0))
        core_fatal("%p is not the handle of a transfer that this thread began and has not synchronised yet", (void *)h);
    return t;
}

/* Completes a handle whose transfer is done; does not poll. */
static bool finish(gas_handle *h) {
    if (*h == GAS_DONE) return true;
    struct gas_transfer *t = find(*h);
    if (!gas_transfer_done(t)) return false;
    release(t);
    gas_lines_forget(); /* what was fetched during the transfer may have bytes from before it */
    *h = GAS_DONE;
    return true;
}

int gas_test(gas_handle *h) {
    if (*h == GAS_DONE) return 1;
    CORE_GATE;
    if (finish(h)) return 1;
    core_poll_for_others();
    return finish(h);
}

/* only: the handle, if it is waited for alone. */
static void wait_on(unsigned *round, gas_handle only) {
    /* Others may do their part of a collective function when they see what is held back. */
    if (core_collectives && core_is_holding) core_let_go();
    if (core_wait_answer(round)) gas_schedule_look_up(only == GAS_DONE ? NULL : find(only));
}

void gas_wait(gas_handle *h) {
    if (*h == GAS_DONE) return;
    CORE_GATE;
    conduit_is_awaited = !conduit_has_pthreads;
    for (unsigned round = 0; !finish(h);) wait_on(&round, *h);
    conduit_is_awaited = false;
}

static bool finish_all(gas_handle *h, size_t n) {
    bool all = true;
    for (size_t i = 0; i < n; i++) all &= finish(&h[i]);
    return all;
}

int gas_test_all(gas_handle *h, size_t n) {
    CORE_GATE;
    if (finish_all(h, n)) return 1;
    core_poll_for_others();
    return finish_all(h, n);
}

void gas_wait_all(gas_handle *h, size_t n) {
    for (size_t i = 0; i < n; i++) gas_wait(&h[i]);
}

/* Returns the number that are newly complete; *under_way: those that are not complete, *last: one of them. */
static size_t finish_some(gas_handle *h, size_t n, size_t *under_way, gas_handle *last) {
    size_t newly = 0;
    *under_way = 0;
    *last = GAS_DONE;
    for (size_t i = 0; i < n; i++) {
        if (h[i] == GAS_DONE) continue;
        if (finish(&h[i])) {
            newly++;
        } else {
            ++*under_way;
            *last = h[i];
        }
    }
    return newly;
}

size_t gas_test_some(gas_handle *h, size_t n) {
    CORE_GATE;
    gas_handle last;
    size_t under_way, newly = finish_some(h, n, &under_way, &last);
    if (newly || !under_way) return newly;
    core_poll_for_others();
    return finish_some(h, n, &under_way, &last);
}

size_t gas_wait_some(gas_handle *h, size_t n) {
    CORE_GATE;
    for (unsigned round = 0;;) {
        gas_handle last;
        size_t under_way, newly = finish_some(h, n, &under_way, &last);
        if (newly || !under_way) return newly;
        wait_on(&round, under_way == 1 ? last : GAS_DONE);
    }
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

struct gas_part *gas_transfer_part(struct gas_transfer *t, bool (*is_done)(struct gas_part *), void *state) {
    struct gas_part *p = free_parts;
    if (p)
        free_parts = p->next;
    else
        p = room(1, sizeof *p);
    *p = (struct gas_part){.next = t->parts, .is_done = is_done, .owner = t, .state = state};
    t->parts = p;
    return p;
}

bool gas_transfer_ask(struct gas_transfer *t) {
    if (t->has_notes) {
        t->has_notes = false;
        core_overrides.carry_out();
    }
    for (struct gas_part **at = &t->parts; *at;) {
        struct gas_part *p = *at;
        if (!p->is_done(p)) {
            at = &p->next;
            continue;
        }
        /* Parts that it began stand before it in the list, perhaps where `at` points. */
        while (*at != p) at = &(*at)->next;
        *at = p->next;
        p->next = free_parts;
        free_parts = p;
    }
    return !t->parts && t->answers == 0;
}
