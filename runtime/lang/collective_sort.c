/* upc_all_sort, of the collectives specification 1.0: a stable merge sort of a shared array by the caller's function.
 *
 * The function is given pointers-to-shared, so elements are compared where they lie in shared memory: each thread copies
 * an equal range of the array into memory of its own, sorts that, and then pairs of threads merge until thread 0 holds
 * everything; at last each thread writes its range back.
 */
#include "blocked.h"
#include "collective.h"

typedef int (*compare_fn)(fathom_pptr, fathom_pptr);

/* n sorted elements at `at`, in one piece. */
struct sorted {
    fathom_ptr at;
    size_t n;
};

static fathom_ptr room(size_t n, size_t elem_bytes) {
    fathom_ptr p = gas_alloc(n == 0 ? 1 : n * elem_bytes);
    if (!p) gas_fatal("upc_all_sort: no shared memory left for %zu bytes", n * elem_bytes);
    return p;
}

/* Merges a, whose elements come first among equals, and b to `to`. */
static void merge(fathom_ptr to, struct sorted a, struct sorted b, size_t elem_bytes, compare_fn compare) {
    while (a.n && b.n) {
        struct sorted *least = compare(fathom_pptr_of(b.at, 0), fathom_pptr_of(a.at, 0)) < 0 ? &b : &a;
        gas_copy(to, least->at, elem_bytes);
        least->at += elem_bytes;
        least->n--;
        to += elem_bytes;
    }
    gas_copy(to, a.at, a.n * elem_bytes);
    gas_copy(to + a.n * elem_bytes, b.at, b.n * elem_bytes);
}

/* Sorts `mine` with `spare`, as large, to work in; returns which of the two holds the result. */
static fathom_ptr sort_locally(fathom_ptr mine, fathom_ptr spare, size_t n, size_t elem_bytes, compare_fn compare) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t a = n - i < width ? n - i : width, b = n - i - a < width ? n - i - a : width;
            merge(spare + i * elem_bytes, (struct sorted){mine + i * elem_bytes, a},
                  (struct sorted){mine + (i + a) * elem_bytes, b}, elem_bytes, compare);
        }
        fathom_ptr other = mine;
        mine = spare;
        spare = other;
    }
    return mine;
}

/* Copies elements [from, to) of the array to (or, if `back`, from) one piece of memory. */
static void copy_range(const struct blocked *a, size_t from, size_t to, fathom_ptr piece, int back) {
    struct blocked_walk w = blocked_walk_from(a, from);
    while (from < to) {
        size_t n = w.left < to - from ? w.left : to - from;
        if (back)
            gas_copy(w.at, piece, n * a->elem_bytes);
        else
            gas_copy(piece, w.at, n * a->elem_bytes);
        piece += n * a->elem_bytes;
        blocked_walk_on(&w, n);
        from += n;
    }
}

void upc_all_sort(fathom_pptr A, size_t elem_size, size_t nelems, size_t blk_size, compare_fn func, upc_flag_t flags) {
    if (!A.addr) gas_fatal("upc_all_sort: null array");
    if (!func) gas_fatal("upc_all_sort: null function");
    if (elem_size == 0) gas_fatal("upc_all_sort: elements of 0 bytes");
    if (blk_size && A.phase >= blk_size)
        gas_fatal("upc_all_sort: the array's phase is %lu, but blocks have %zu elements", A.phase, blk_size);
    collective_enter("upc_all_sort", flags);
    struct blocked a = blocked_at(A, blk_size, elem_size);
    int me = gas_me(), threads = gas_count();
    size_t from, to;
    blocked_share(nelems, (size_t)me, (size_t)threads, &from, &to);

    fathom_ptr copy = room(to - from, elem_size), spare = room(to - from, elem_size);
    copy_range(&a, from, to, copy, 0);
    struct sorted mine = {sort_locally(copy, spare, to - from, elem_size, func), to - from};
    gas_free(mine.at == copy ? spare : copy);

    for (int width = 1; width < threads; width *= 2) {
        collective_share(&mine, sizeof mine);
        if (me % (2 * width) != 0 || me + width >= threads) continue;
        struct sorted next;
        collective_look(me + width, &next, sizeof next);
        struct sorted both = {room(mine.n + next.n, elem_size), mine.n + next.n};
        merge(both.at, mine, next, elem_size, func);
        gas_free(mine.at);
        gas_free(next.at);
        mine = both;
    }

    collective_share(&mine, sizeof mine);
    struct sorted all;
    collective_look(0, &all, sizeof all);
    copy_range(&a, from, to, all.at + from * elem_size, 1);
    gas_barrier(); /* all have read thread 0's copy */
    if (me == 0) gas_free(all.at);
}
