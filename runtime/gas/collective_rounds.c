/* Collectives of far threads in as many rounds as the logarithm of their number: for small data, which one more message
 * delays longer than one more byte. Data for others travels along with the data for the member that passes it on.
 */
#include "gas/collective.h"

#include <string.h>

/* Ranks are counted from the root: `me` represents the ranks from itself on, as many as its lowest bit says; the root
 * represents all. */
struct branch {
    int me, width, count; /* a power of two; those of them that there are */
};
static struct branch branch_of(gas_team t, int root) {
    struct branch b = {.me = gas_rank_around(t->rank - root, t->size), .width = 1};
    if (b.me)
        b.width = b.me & -b.me;
    else
        while (b.width < t->size) b.width *= 2;
    b.count = gas_fewer(b.width, t->size - b.me);
    return b;
}

/* Converts to and from the order in which ranks are counted from the root. */
static void turn(gas_team t, char *dst, const char *src, size_t n, int by) {
    size_t all = n * (size_t)t->size, first = n * (size_t)gas_rank_around(by, t->size);
    memcpy(dst, src + first, all - first);
    memcpy(dst + all - first, src, first);
}

void gas_rounds_scatter(gas_team t, void *dst, const void *src, size_t n, int root) {
    struct branch b = branch_of(t, root);
    char *parts = gas_room(n * (size_t)b.count);
    if (b.me == 0)
        turn(t, parts, src, n, root);
    else
        gas_stream_receive(t, gas_rank_around(b.me - b.width + root, t->size), parts, n * (size_t)b.count);
    for (int bit = b.width / 2; bit; bit /= 2)
        if (bit < b.count)
            gas_stream_send(t, gas_rank_around(b.me + bit + root, t->size), parts + n * (size_t)bit,
                            n * (size_t)gas_fewer(bit, b.count - bit));
    memcpy(dst, parts, n);
    free(parts);
}

void gas_rounds_gather(gas_team t, void *dst, const void *src, size_t n, int root) {
    struct branch b = branch_of(t, root);
    char *parts = gas_room(n * (size_t)b.count);
    memcpy(parts, src, n);
    for (int bit = 1; bit < b.count; bit *= 2)
        gas_stream_receive(t, gas_rank_around(b.me + bit + root, t->size), parts + n * (size_t)bit,
                           n * (size_t)gas_fewer(bit, b.count - bit));
    if (b.me == 0)
        turn(t, dst, parts, n, -root);
    else
        gas_stream_send(t, gas_rank_around(b.me - b.width + root, t->size), parts, n * (size_t)b.count);
    free(parts);
}

/* In round k each member has the data of 2^k ranks from its own on, and gets that of as many more (Bruck et al.
 * 1997). */
void gas_rounds_gather_all(gas_team t, void *dst, const void *src, size_t n) {
    char *all = gas_room(n * (size_t)t->size);
    memcpy(all, src, n);
    for (int have = 1; have < t->size;) {
        int more = gas_fewer(have, t->size - have);
        gas_stream_move(t, gas_rank_around(t->rank - have, t->size), all, n * (size_t)more,
                        gas_rank_around(t->rank + have, t->size), all + n * (size_t)have, n * (size_t)more);
        have += more;
    }
    turn(t, dst, all, n, -t->rank);
    free(all);
}

/* The data for the i-th rank from here travels 2^k ranks in round k if i has that bit (Bruck et al. 1997). */
void gas_rounds_exchange(gas_team t, void *dst, const void *src, size_t n) {
    size_t size = (size_t)t->size;
    char *parts = gas_room(n * size), *out = gas_room(n * size), *in = gas_room(n * size), *to = dst;
    turn(t, parts, src, n, t->rank);
    for (size_t step = 1; step < size; step *= 2) {
        size_t bytes = 0;
        for (size_t i = step; i < size; i++)
            if (i & step) memcpy(out + bytes, parts + n * i, n), bytes += n;
        gas_stream_move(t, gas_rank_around(t->rank + (int)step, t->size), out, bytes,
                        gas_rank_around(t->rank - (int)step, t->size), in, bytes);
        bytes = 0;
        for (size_t i = step; i < size; i++)
            if (i & step) memcpy(parts + n * i, in + bytes, n), bytes += n;
    }
    /* The i-th block is now that of the i-th rank before this one. */
    for (int i = 0; i < t->size; i++)
        memcpy(to + n * (size_t)gas_rank_around(t->rank - i, t->size), parts + n * (size_t)i, n);
    free(parts);
    free(out);
    free(in);
}
