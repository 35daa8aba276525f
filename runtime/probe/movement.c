/* Movements of data; see movement.h. */
#define _GNU_SOURCE
#include "probe/movement.h"

#include "lang/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_SPAN ((size_t)256 << 20)
#define USUAL_SPAN ((size_t)96 << 20)
/* From one place to the next: more than what a processor's own caches hold. */
#define APART ((size_t)8 << 20)
#define MOST_PLACES 8

static bool is(const struct movement *m, const char *decision) { return strcmp(m->decision, decision) == 0; }

/* A permutation that no prefetcher knows; the same every time. */
static void shuffle(size_t *order, size_t n) {
    uint64_t state = 0;
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = fathom_random_below(&state, i), other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
}

/* The places of the last movement that had some: mechanisms are compared on the same. */
static struct movement kept;

static bool make_places(struct movement *m) {
    if (kept.places && kept.count == m->count && kept.element == m->element && kept.stride == m->stride &&
        kept.local == m->local && kept.remote == m->remote) {
        m->places = kept.places, m->far_places = kept.far_places;
        return true;
    }
    free(kept.places), free(kept.far_places);
    kept = (struct movement){0};
    size_t *order = malloc(m->count * sizeof *order);
    m->places = malloc(m->count * sizeof *m->places);
    m->far_places = malloc(m->count * sizeof *m->far_places);
    if (!order || !m->places || !m->far_places) {
        free(order), free(m->places), free(m->far_places);
        return false;
    }
    shuffle(order, m->count);
    for (size_t i = 0; i < m->count; i++) {
        m->places[i] = m->local + i * m->element;
        m->far_places[i] = m->remote + order[i] * m->stride;
    }
    free(order);
    kept = *m;
    return true;
}

/* Kept from one movement to the next, so that mechanisms are compared on the same pages; grows. Touched on both sides. */
static struct {
    size_t bytes;
    char *local;
    fathom_ptr shared;
} arena;

static int other_thread(void) { return gas_count() > 1 ? (gas_me() + 1) % gas_count() : gas_me(); }

static bool grow(size_t bytes) {
    if (arena.local) munmap(arena.local, arena.bytes);
    if (arena.shared) gas_free(arena.shared);
    arena.bytes = 0, arena.shared = 0;
    arena.local = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena.local == MAP_FAILED) arena.local = NULL;
    arena.shared = arena.local ? gas_global_alloc(bytes) : 0;
    if (!arena.shared) {
        if (arena.local) munmap(arena.local, bytes);
        arena.local = NULL;
        return false;
    }
    arena.bytes = bytes;
    memset(arena.local, 1, bytes);
    gas_fill(fathom_make(other_thread(), fathom_offset_of(arena.shared)), 2, bytes);
    return true;
}

/* At once as much as most will want, if there is so much. */
static bool reserve(size_t bytes) {
    return bytes <= arena.bytes || (bytes < USUAL_SPAN + 2 * APART && grow(USUAL_SPAN + 2 * APART)) || grow(bytes);
}

const char *movement_begin(struct movement *m) {
    m->places = NULL, m->far_places = NULL;
    int other = other_thread();
    bool is_far = is(m, "put-pieces") || is(m, "get-pieces");
    if (is_far && gas_is_local(other)) return m->reason = REASON_NEAR, "all threads are near";
    if (!is_far && !gas_is_local(other)) return m->reason = REASON_APART, "the other thread is not near";
    if (!m->element || m->bytes < m->element) return m->reason = REASON_SIZE, "there is no element";
    if (m->stride < m->element) m->stride = m->element;
    m->count = m->bytes / m->element;
    m->span = m->count * m->stride;
    if (is(m, "transpose")) {
        for (m->side = 1; (m->side + 1) * (m->side + 1) <= m->count;) m->side++;
        m->count = m->side * m->side;
        m->stride = m->side * m->element;
        m->span = m->count * m->element;
    }
    m->bytes = m->count * m->element;
    if (m->span > MOST_SPAN) return m->reason = REASON_MEMORY, "it spans too much memory";
    size_t from = m->place * APART;
    if (m->place > MOST_PLACES || !reserve(m->span + from))
        return m->reason = REASON_MEMORY, "there is no memory for it";
    m->local = arena.local + from, m->shared = arena.shared;
    m->remote = fathom_make(other, fathom_offset_of(m->shared)) + from;
    if ((is(m, "put-indexed") || is(m, "get-indexed")) && !make_places(m))
        return m->reason = REASON_MEMORY, "there is no memory for the places";
    return NULL;
}

#define TIMES for (; n; n--)

void movement_perform(void *movement, long n) {
    const struct movement *m = movement;
    ptrdiff_t element = (ptrdiff_t)m->element, stride = (ptrdiff_t)m->stride;
    size_t count = m->count;
    if (is(m, "contiguous")) {
        if (m->is_put)
            TIMES gas_put(m->remote, m->local, m->bytes);
        else
            TIMES gas_get(m->local, m->remote, m->bytes);
    } else if (is(m, "gather")) {
        TIMES gas_get_strided(m->local, &element, m->remote, &stride, m->element, &count, 1);
    } else if (is(m, "scatter") || is(m, "put-pieces")) {
        TIMES gas_put_strided(m->remote, &stride, m->local, &element, m->element, &count, 1);
    } else if (is(m, "get-pieces")) {
        TIMES gas_get_strided(m->local, &element, m->remote, &stride, m->element, &count, 1);
    } else if (is(m, "strided")) {
        if (m->is_put)
            TIMES gas_put_strided(m->remote, &stride, m->local, &stride, m->element, &count, 1);
        else
            TIMES gas_get_strided(m->local, &stride, m->remote, &stride, m->element, &count, 1);
    } else if (is(m, "put-indexed")) {
        TIMES gas_put_indexed(m->far_places, (const void *const *)m->places, m->element, count);
    } else if (is(m, "get-indexed")) {
        TIMES gas_get_indexed(m->places, m->far_places, m->element, count);
    } else if (is(m, "transpose")) {
        ptrdiff_t rows[2] = {element, stride}, columns[2] = {stride, element};
        size_t sides[2] = {m->side, m->side};
        if (m->is_put)
            TIMES gas_put_strided(m->remote, rows, m->local, columns, m->element, sides, 2);
        else
            TIMES gas_get_strided(m->local, rows, m->remote, columns, m->element, sides, 2);
    }
}
