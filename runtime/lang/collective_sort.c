/* upc_all_sort, of the collectives specification 1.0: a stable sort of a shared array by the caller's function.
 *
 * Each thread copies an equal range of the array into memory of its own and sorts it. Then thread k looks for the cuts that
 * leave before them, of all sorted ranges together, as many elements as come before its own range in the result
 * (collective_cuts.c): exactly, so that no thread gets more than its share, however often elements are equal. It fetches
 * what lies between its cuts and the next thread's, merges that, and writes it back. A thread has room for its share twice,
 * and a few words of each other thread.
 *
 * The function is given pointers-to-shared, so elements are compared where they lie in shared memory. What comes first in
 * the array comes first among equals, because ranges are merged in their order.
 */
#include "collective_sort.h"

#include <string.h>

/* Merges a, whose elements come first among equals, and b to `to`. */
static void merge(char *to, struct sorted a, struct sorted b, const struct sort *s) {
    size_t size = s->a.elem_bytes;
    bool is_in_order = !a.n || !b.n || sort_compare(s, b.at, a.at + (a.n - 1) * size) >= 0;
    while (!is_in_order && a.n && b.n) {
        struct sorted *least = sort_compare(s, b.at, a.at) < 0 ? &b : &a;
        fathom_copy_near(to, least->at, size);
        least->at += size;
        least->n--;
        to += size;
    }
    memcpy(to, a.at, a.n * size);
    memcpy(to + a.n * size, b.at, b.n * size);
}

/* Merges each two of `count` neighbouring runs, of which run i begins at element start[i] and the last ends at
 * start[count]; from `from` to `to`. Returns how many are left. */
static size_t merge_pairs(char *to, char *from, size_t *start, size_t count, const struct sort *s) {
    size_t size = s->a.elem_bytes, left = 0;
    for (size_t i = 0; i < count; i += 2) {
        size_t first = start[i], second = start[i + 1], end = i + 2 <= count ? start[i + 2] : second;
        merge(to + first * size, (struct sorted){from + first * size, second - first},
              (struct sorted){from + second * size, end - second}, s);
        start[left++] = first;
    }
    start[left] = start[count];
    return left;
}

/* Merges all runs; `spare` is as large as `at`. Returns which of the two holds the result. */
static char *merge_all(char *at, char *spare, size_t *start, size_t count, const struct sort *s) {
    while (count > 1) {
        count = merge_pairs(spare, at, start, count, s);
        char *other = at;
        at = spare;
        spare = other;
    }
    return at;
}

/* Sorts the n elements at `at`, which is where they stay. */
static void sort_here(char *at, char *spare, size_t n, const struct sort *s) {
    size_t size = s->a.elem_bytes;
    char *from = at, *to = spare;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t a = gas_least(n - i, width), b = gas_least(n - i - a, width);
            merge(to + i * size, (struct sorted){from + i * size, a}, (struct sorted){from + (i + a) * size, b}, s);
        }
        char *other = from;
        from = to;
        to = other;
    }
    if (from != at) memcpy(at, from, n * size);
}

/* Fetches what lies between this thread's cuts and the next one's; start[t] is where thread t's begins in it. */
static void fetch(const struct sort *s, char *to, const size_t *cuts, const size_t *next, size_t *start) {
    enum { UNDER_WAY = 16 };
    gas_handle handle[UNDER_WAY] = {GAS_DONE};
    size_t size = s->a.elem_bytes, threads = (size_t)gas_count(), n = 0;
    for (size_t t = 0; t < threads; t++) {
        start[t] = n;
        n += next[t] - cuts[t];
    }
    start[threads] = n;
    for (size_t i = 0; i < threads; i++) { /* from itself on, so that not all ask one at once */
        size_t t = ((size_t)gas_me() + i) % threads;
        gas_wait(&handle[i % UNDER_WAY]);
        handle[i % UNDER_WAY] =
            gas_get_nb(to + start[t] * size, sort_element(s, (int)t, cuts[t]), (start[t + 1] - start[t]) * size);
    }
    gas_wait_all(handle, UNDER_WAY);
}

/* Room at the same place on every thread: the sorted range, as much beside it, pivots, and the cuts. */
static size_t lines(size_t n) { return (n + 63) & ~(size_t)63; }
static void make_room(struct sort *s, size_t most) {
    size_t range = lines(most * s->a.elem_bytes), pivots = lines(SORT_PIVOTS * s->a.elem_bytes);
    size_t bytes = 2 * range + pivots + (size_t)gas_count() * sizeof(size_t);
    fathom_ptr all = gas_all_alloc(bytes);
    if (!all) gas_fatal("upc_all_sort: no shared memory left for %zu bytes on each thread", bytes);
    s->room = fathom_offset_of(all);
    s->spare = s->room + range;
    s->pivots = s->spare + range;
    s->cuts = s->pivots + pivots;
}

static char *mine(size_t offset) { return fathom_local(fathom_make(gas_me(), offset)); }

/* A function that contradicts itself may cut so that a thread gets more than its share. */
static char *more_room(size_t n) {
    fathom_ptr p = gas_alloc(n);
    if (!p) gas_fatal("upc_all_sort: no shared memory left for %zu bytes", n);
    return fathom_local(p);
}

static void sort(struct sort *s) {
    int me = gas_me(), threads = gas_count();
    size_t size = s->a.elem_bytes, from, to, most, none;
    blocked_share(s->n, (size_t)me, (size_t)threads, &from, &to);
    blocked_share(s->n, 0, (size_t)threads, &none, &most);
    make_room(s, most);
    char *sorted = mine(s->room), *spare = mine(s->spare);
    blocked_get(sorted, &s->a, from, to);
    sort_here(sorted, spare, to - from, s);

    size_t *cuts = (size_t *)mine(s->cuts), *next = gas_room((size_t)threads * sizeof *next);
    size_t *start = gas_room(((size_t)threads + 1) * sizeof *start);
    sort_find_cuts(s, from, cuts);
    gas_barrier();
    if (me + 1 < threads)
        gas_get(next, fathom_make(me + 1, s->cuts), (size_t)threads * sizeof *next);
    else
        for (int t = 0; t < threads; t++) next[t] = sort_length(s, t);
    size_t first = 0, n = 0;
    for (int t = 0; t < threads; t++) first += cuts[t], n += next[t] - cuts[t];
    char *more = n > most ? more_room(2 * n * size) : NULL, *fetched = more ? more : spare;
    fetch(s, fetched, cuts, next, start);
    gas_barrier(); /* all have fetched: `sorted` is free */
    char *result = merge_all(fetched, more ? more + n * size : sorted, start, (size_t)threads, s);
    blocked_put(&s->a, first, first + n, result);
    if (more) gas_free(fathom_make(me, (size_t)(more - mine(0))));
    free(start);
    free(next);
    gas_barrier();
    if (me == 0) gas_free(fathom_make(0, s->room));
}

void upc_all_sort(fathom_pptr A, size_t elem_size, size_t nelems, size_t blk_size, sort_function *func,
                  upc_flag_t flags) {
    if (!A.addr) gas_fatal("upc_all_sort: null array");
    if (!func) gas_fatal("upc_all_sort: null function");
    if (elem_size == 0) gas_fatal("upc_all_sort: elements of 0 bytes");
    if (blk_size && A.phase >= blk_size)
        gas_fatal("upc_all_sort: the array's phase is %lu, but blocks have %zu elements", A.phase, blk_size);
    collective_enter("upc_all_sort", flags);
    struct sort s = {.a = blocked_at(A, blk_size, elem_size), .n = nelems, .compare = func, .segment = mine(0)};
    if (nelems > 1) sort(&s);
}
