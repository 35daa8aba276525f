/* Strided, indexed and listed data: random shapes of every dimension, element size and sign of stride, both ways,
 * compared with byte-wise loops over a copy of the same memory. What lies between the elements must stay as it was. */
#include "suite.h"

enum { ROOM = 60000, MOST_DIMS = 7 };

/* One side of a shape: strides, and where element 0 is. */
struct side {
    ptrdiff_t stride[MOST_DIMS];
    size_t start, end; /* bytes it spans are 0 ... end - 1, of which element 0 is at `start` */
};

/* Random strides of either sign, in a random order of the dimensions, under which no elements overlap. */
static struct side random_side(const size_t *count, int dims, size_t elem) {
    struct side s = {.start = 0};
    int order[MOST_DIMS] = {0};
    for (int k = 0; k < dims; k++) {
        int at = (int)random_below(&mine, (uint64_t)k + 1);
        if (random_below(&mine, 2)) at = k;
        order[k] = order[at];
        order[at] = k;
    }
    size_t extent = elem;
    for (int i = 0; i < dims; i++) {
        int k = order[i];
        size_t stride = extent + (random_below(&mine, 2) ? 0 : random_below(&mine, 2 * elem + 9));
        if (random_below(&mine, 3) == 0) stride = (stride + 7) / 8 * 8;
        size_t reach = (count[k] ? count[k] - 1 : 0) * stride;
        bool down = random_below(&mine, 4) == 0;
        s.stride[k] = down ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        if (down) s.start += reach;
        extent += reach;
    }
    s.end = extent;
    return s;
}

static void naive(char *dst, const ptrdiff_t *ds, const char *src, const ptrdiff_t *ss, size_t elem,
                  const size_t *count, int dims) {
    if (dims == 0) {
        memcpy(dst, src, elem);
        return;
    }
    for (size_t i = 0; i < count[dims - 1]; i++)
        naive(dst + (ptrdiff_t)i * ds[dims - 1], ds, src + (ptrdiff_t)i * ss[dims - 1], ss, elem, count, dims - 1);
}

static void scramble(char *at, size_t n) { fill_pattern(at, n, random_word(&mine)); }

static size_t random_elem(void) {
    static const size_t usual[] = {1, 2, 4, 8, 16, 32, 64, 128};
    switch (random_below(&mine, 8)) {
    case 0: return 1 + random_below(&mine, 300);
    case 1: return 1 + random_below(&mine, 6000);
    default: return usual[random_below(&mine, 8)];
    }
}

CASE(data_strided_of_every_shape) {
    fathom_ptr all = everywhere((size_t)ROOM * (size_t)count());
    char *local = malloc(ROOM), *model = malloc(ROOM), *in = malloc(ROOM);
    for (long i = 0; i < suite_rounds(400); i++) {
        int dims = (int)random_below(&mine, MOST_DIMS + 1);
        size_t n[MOST_DIMS], elem = random_elem();
        for (int k = 0; k < dims; k++)
            n[k] = random_below(&mine, 30) == 0 ? 0
                   : dims == 1                  ? 1 + random_below(&mine, 3000)
                                                : 1 + random_below(&mine, 12);
        struct side a = random_side(n, dims, elem), b = random_side(n, dims, elem);
        bool is_put = i % 2, broadcast = dims && random_below(&mine, 10) == 0;
        if (a.end > ROOM || b.end > ROOM) {
            i--;
            continue;
        }
        if (broadcast) { /* the source does not move in one dimension */
            struct side *source = is_put ? &b : &a;
            int k = (int)random_below(&mine, (uint64_t)dims);
            if (source->stride[k] > 0) source->stride[k] = 0;
        }
        fathom_ptr there = on(neighbour((int)(i / 2)), all) + (fathom_ptr)me() * ROOM;
        size_t at_a = random_below(&mine, ROOM - a.end + 1) + a.start,
               at_b = random_below(&mine, ROOM - b.end + 1) + b.start;
        scramble(local, ROOM), scramble(model, ROOM);
        gas_put(there, model, ROOM);
        gas_handle h = GAS_DONE;
        if (is_put) {
            if (i % 4 == 1)
                gas_put_strided(there + at_a, a.stride, local + at_b, b.stride, elem, n, dims);
            else
                h = gas_put_strided_nb(there + at_a, a.stride, local + at_b, b.stride, elem, n, dims);
            naive(model + at_a, a.stride, local + at_b, b.stride, elem, n, dims);
            gas_wait(&h);
            gas_get(in, there, ROOM);
        } else {
            memcpy(in, local, ROOM);
            if (i % 4 == 0)
                gas_get_strided(in + at_b, b.stride, there + at_a, a.stride, elem, n, dims);
            else
                h = gas_get_strided_nb(in + at_b, b.stride, there + at_a, a.stride, elem, n, dims);
            naive(local + at_b, b.stride, model + at_a, a.stride, elem, n, dims);
            gas_wait(&h);
            memcpy(model, local, ROOM);
        }
        for (size_t k = 0; k < ROOM; k++)
            ASSERT(in[k] == model[k], "%s %ld, %d dimensions of %zu bytes: byte %zu", is_put ? "put" : "get", i, dims,
                   elem, k);
    }
    free(local), free(model), free(in);
    free_everywhere(all);
}

/* Shapes whose parts need many messages, many of them under way at once. */
CASE(data_strided_larger_than_messages) {
    enum { N = 300 };
    fathom_ptr all = everywhere(N * N * 8 * (size_t)count());
    double *out = malloc(N * N * 8), *in = malloc(N * N * 8);
    for (int i = 0; i < 6; i++) {
        fathom_ptr there = on(neighbour(i + 1), all) + (fathom_ptr)me() * N * N * 8;
        ptrdiff_t row[2] = {8, N * 8}, column[2] = {N * 8, 8};
        size_t n[2] = {N, N}, half[2] = {N, N / 2};
        for (int k = 0; k < N * N; k++) out[k] = (double)random_below(&mine, 1000000);
        gas_handle h[2] = {gas_put_strided_nb(there, column, out, row, 8, half, 2),
                           gas_put_strided_nb(there + N / 2 * 8, column, out + N / 2 * N, row, 8, half, 2)};
        gas_wait_all(h, 2);
        memset(in, 0, N * N * 8);
        h[0] = gas_get_strided_nb(in, row, there, column, 8, n, i % 2 ? 2 : 1);
        gas_wait(&h[0]);
        for (int k = 0; k < (i % 2 ? N * N : N); k++) ASSERT(in[k] == out[k], "element %d of round %d", k, i);
        gas_get(in, there, N * N * 8);
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++)
                ASSERT(in[c * N + r] == out[r * N + c], "row %d, column %d of round %d", r, c, i);
    }
    free(out), free(in);
    free_everywhere(all);
}

/* ---- indexed ----------------------------------------------------------------------------------------------------- */

/* A random order of 0 ... n - 1. */
static void shuffle(size_t *order, size_t n) {
    for (size_t k = 0; k < n; k++) {
        size_t at = random_below(&mine, k + 1);
        order[k] = order[at];
        order[at] = k;
    }
}

/* Elements in slots, in any order, on one thread, on all in turn, or at random. */
CASE(data_indexed_on_any_threads) {
    enum { MOST = 9000 };
    fathom_ptr all = everywhere((size_t)ROOM * (size_t)count());
    char *local = malloc(ROOM), *check = malloc(ROOM);
    size_t *here_order = malloc(MOST * sizeof(size_t)), *there_order = malloc(MOST * sizeof(size_t));
    fathom_ptr *remote = malloc(MOST * sizeof *remote);
    void **list = malloc(MOST * sizeof *list);
    for (long i = 0; i < suite_rounds(120); i++) {
        size_t elem = random_elem(), slots = ROOM / elem < MOST ? ROOM / elem : MOST, n = random_size(&mine, slots);
        int how = (int)random_below(&mine, 3), thread = (int)random_below(&mine, (uint64_t)count());
        shuffle(here_order, slots), shuffle(there_order, slots);
        for (size_t k = 0; k < n; k++) {
            int t = how == 0   ? thread
                    : how == 1 ? (int)(k % (size_t)count())
                               : (int)random_below(&mine, (uint64_t)count());
            remote[k] = on(t, all) + (fathom_ptr)me() * ROOM + there_order[k] * elem;
            list[k] = local + here_order[k] * elem;
        }
        scramble(local, ROOM);
        memcpy(check, local, ROOM);
        gas_handle h = GAS_DONE;
        if (i % 2)
            gas_put_indexed(remote, (const void *const *)list, elem, n);
        else
            h = gas_put_indexed_nb(remote, (const void *const *)list, elem, n);
        gas_wait(&h);
        memset(local, 0, ROOM);
        for (size_t k = 0; k < n; k++) /* some one by one */
            if (k < 20 || k % 97 == 0) {
                char one[6001];
                gas_get(one, remote[k], elem);
                ASSERT(memcmp(one, check + here_order[k] * elem, elem) == 0, "put %ld: element %zu of %zu", i, k, n);
            }
        if (i % 4 < 2)
            gas_get_indexed(list, remote, elem, n);
        else
            h = gas_get_indexed_nb(list, remote, elem, n);
        memset(remote, 0, MOST * sizeof *remote); /* the lists may change at once */
        gas_wait(&h);
        for (size_t k = 0; k < slots; k++) {
            static const char zeros[6001];
            const char *want = k < n ? check + here_order[k] * elem : zeros;
            ASSERT(memcmp(local + here_order[k] * elem, want, elem) == 0, "get %ld: element %zu of %zu, %zu bytes", i,
                   k, n, elem);
        }
    }
    free(local), free(check), free(here_order), free(there_order), free(remote), free(list);
    free_everywhere(all);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

CASE(data_lists_of_regions_of_any_lengths) {
    enum { MOST = 4000 };
    fathom_ptr all = everywhere((size_t)ROOM * (size_t)count());
    char *local = malloc(ROOM), *check = malloc(ROOM);
    struct gas_remote_region *remote = malloc((MOST + 1) * sizeof *remote);
    struct gas_region *list = malloc((MOST + 1) * sizeof *list);
    for (long i = 0; i < suite_rounds(100); i++) {
        /* Each list covers the same bytes in order, cut at places of its own; neighbours on the other side lie
         * elsewhere. */
        size_t total = random_size(&mine, ROOM), most = random_size(&mine, 5000) + 1, nr = 0, nl = 0;
        if (total / most > MOST / 4) most = total / (MOST / 4) + 1;
        for (size_t at = 0; at < total && nr < MOST; nr++) {
            size_t n = nr == MOST - 1 ? total - at : random_below(&mine, 2 * most);
            if (n > total - at) n = total - at;
            remote[nr] = (struct gas_remote_region){
                on((int)random_below(&mine, (uint64_t)count()), all) + (fathom_ptr)me() * ROOM + at, n};
            at += n;
        }
        for (size_t at = 0; at < total && nl < MOST; nl++) {
            size_t n = nl == MOST - 1 ? total - at : random_below(&mine, 2 * most);
            if (n > total - at) n = total - at;
            at += n;
            list[nl] = (struct gas_region){local + ROOM - at, n}; /* backwards */
        }
        scramble(local, ROOM);
        memcpy(check, local, ROOM);
        gas_handle h = GAS_DONE;
        if (i % 2)
            gas_put_list(remote, nr, list, nl);
        else
            h = gas_put_list_nb(remote, nr, list, nl);
        gas_wait(&h);
        memset(local, 0, ROOM);
        if (i % 4 < 2)
            gas_get_list(list, nl, remote, nr);
        else
            h = gas_get_list_nb(list, nl, remote, nr);
        gas_wait(&h);
        ASSERT(memcmp(local + ROOM - total, check + ROOM - total, total) == 0,
               "round %ld: %zu bytes in %zu and %zu regions", i, total, nr, nl);
        for (size_t k = 0; k < ROOM - total; k++) ASSERT(local[k] == 0, "byte %zu", k);
        /* The bytes really are where the remote list says. */
        for (size_t k = 0, at = 0, l = 0, into = 0; k < nr; k++)
            for (size_t b = 0; b < remote[k].bytes; b++, at++, into++) {
                while (into == list[l].bytes) l++, into = 0;
                if (at % 501) continue;
                EQUAL((uint8_t)check[(char *)list[l].at - local + (ptrdiff_t)into], gas_get_value(remote[k].at + b, 1));
            }
    }
    free(local), free(check), free(remote), free(list);
    free_everywhere(all);
}

ENDS(data_lists_of_different_sizes, 1, 1, "fathom: thread [0-9]+: gas_put_list: the lists differ in size.*\\|") {
    fathom_ptr p = gas_alloc(64);
    char text[64] = {0};
    gas_put_list(&(struct gas_remote_region){p, 64}, 1, &(struct gas_region){text, 63}, 1);
}

ENDS(data_strided_of_negative_dimensions, 1, 1, "fathom: thread [0-9]+: a strided copy of -1 dimensions.*\\|") {
    char x = 0;
    gas_put_strided(on(neighbour(1), everywhere(64)), NULL, &x, NULL, 1, NULL, -1);
    gas_barrier();
}
