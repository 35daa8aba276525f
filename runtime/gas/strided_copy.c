/* Strided copies within this process's memory; see strided_copy.h.
 *
 * The two innermost dimensions are copied by the mechanism (strided_mechanisms.h) that the tuning table chooses; those
 * outside are counted up like an odometer. The innermost dimension is the one whose elements are nearest at the
 * destination: stores that leave a cache line half written cost more than loads that leave it half read.
 */
#define FATHOM_COPY_TELLS
#include "gas/strided_copy.h"

#include "core/core.h"
#include "core/tuning.h"
#include "gas/element.h"
#include "gas/strided_mechanisms.h"

static void remove_dim(struct gas_box *b, int k) {
    b->dims--;
    for (; k < b->dims; k++) {
        b->count[k] = b->count[k + 1];
        b->dst[k] = b->dst[k + 1];
        b->src[k] = b->src[k + 1];
    }
}

bool gas_box_make(struct gas_box *b, size_t elem, const size_t *count, const ptrdiff_t *dst, const ptrdiff_t *src,
                  int dims) {
    b->elem = elem;
    b->dims = 0;
    if (__builtin_expect(dims < 0, 0)) core_fatal("a strided copy of %d dimensions", dims);
    if (elem == 0) return false;
    for (int k = 0; k < dims; k++) {
        if (count[k] == 0) return false;
        if (count[k] == 1) continue;
        if (b->dims == GAS_BOX_MAX_DIMS) core_fatal("a strided copy of more elements than memory has bytes");
        int at = b->dims++; /* in order of distance */
        for (; at > 0; at--) {
            size_t before = gas_distance(b->dst[at - 1]), here = gas_distance(dst[k]);
            if (before < here || (before == here && gas_distance(b->src[at - 1]) <= gas_distance(src[k]))) break;
            b->count[at] = b->count[at - 1];
            b->dst[at] = b->dst[at - 1];
            b->src[at] = b->src[at - 1];
        }
        b->count[at] = count[k];
        b->dst[at] = dst[k];
        b->src[at] = src[k];
    }
    while (b->dims && b->dst[0] == (ptrdiff_t)b->elem && b->src[0] == (ptrdiff_t)b->elem) {
        b->elem *= b->count[0];
        remove_dim(b, 0);
    }
    for (int k = 0; k + 1 < b->dims;) {
        ptrdiff_t n = (ptrdiff_t)b->count[k];
        if (b->dst[k + 1] == n * b->dst[k] && b->src[k + 1] == n * b->src[k]) {
            b->count[k] *= b->count[k + 1];
            remove_dim(b, k + 1);
        } else {
            k++;
        }
    }
    return true;
}

void gas_box_packed(const struct gas_box *b, ptrdiff_t *stride) {
    ptrdiff_t bytes = (ptrdiff_t)b->elem;
    for (int k = 0; k < b->dims; k++) {
        stride[k] = bytes;
        bytes *= (ptrdiff_t)b->count[k];
    }
}

size_t gas_box_bytes(const struct gas_box *b) {
    size_t bytes = b->elem;
    for (int k = 0; k < b->dims; k++) bytes *= b->count[k];
    return bytes;
}

/* ---- two dimensions ---------------------------------------------------------------------------------------------- */

enum pattern { GATHER, SCATTER, STRIDED };

/* For one dimension: the patterns of the two sides, and the stride that counts. */
static enum pattern pattern_of(size_t size, size_t dst, size_t src, size_t *stride) {
    *stride = dst == size || (src != size && src > dst) ? src : dst;
    return dst == size ? GATHER : src == size ? SCATTER : STRIDED;
}

/* The ranges that decide about a plane, for elements of this stride and this number of bytes, as the decision counts
 * them. dst0 is the nearest. */
struct rule {
    const struct core_ranges *by;
    size_t stride, filled;
};
static struct rule rule_of(const struct gas_plane *p, size_t size) {
    size_t count = p->n0 * p->n1, dst = gas_distance(p->dst0), src = gas_distance(p->src0), stride;
    if (p->n1 > 1 && dst == size && gas_distance(p->src1) == size)
        return (struct rule){core_class_of(core_tuning.transpose, size, src), src, size * count};
    enum pattern pattern = pattern_of(size, dst, src, &stride);
    const struct core_ranges *by = pattern == GATHER    ? core_class_of(core_tuning.gather, size, stride)
                                   : pattern == SCATTER ? core_class_of(core_tuning.scatter, size, stride)
                                                        : core_class_of(core_tuning.strided, size, stride);
    return (struct rule){by, stride, core_filled(count, size, stride, pattern == STRIDED)};
}

/* Returns the mechanism that was performed. */
static enum core_mechanism copy_by(enum core_mechanism way, const struct gas_plane *p, char *dst, const char *src,
                                   size_t size) {
    switch (way) {
    case CORE_LOOP: gas_plane_loop(p, dst, src, size); return way;
    case CORE_LIBRARY: gas_plane_library(p, dst, src, size); return way;
    case CORE_PREFETCH: return gas_plane_prefetch(p, dst, src, size);
    case CORE_VECTOR:
        if (gas_plane_vector(p, dst, src, size)) return way;
        break;
    case CORE_STREAM:
        if (gas_plane_stream(p, dst, src, size)) return way;
        break;
    case CORE_TILES: gas_plane_tiles(p, dst, src, size); return way;
    default: break;
    }
    return gas_plane_wide(p, dst, src, size);
}

static void copy_plane(const struct gas_plane *p, char *dst, const char *src, size_t size) {
    struct rule rule = rule_of(p, size);
    enum core_mechanism took = copy_by(core_choose(rule.by, rule.filled), p, dst, src, size);
    core_took(rule.by, size, rule.stride, p->n0 * p->n1 * size, took);
}

void gas_row_copy(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t elem, size_t count) {
    if (dst_stride == (ptrdiff_t)elem && src_stride == (ptrdiff_t)elem)
        fathom_copy_near(dst, src, elem * count);
    else
        copy_plane(&(struct gas_plane){.n0 = count, .n1 = 1, .dst0 = dst_stride, .src0 = src_stride}, dst, src, elem);
}

/* ---- any number -------------------------------------------------------------------------------------------------- */

void gas_box_copy(const struct gas_box *b, void *to, const void *from) {
    char *dst = to;
    const char *src = from;
    if (b->dims == 0) {
        fathom_copy_near(dst, src, b->elem);
        return;
    }
    struct gas_plane p = {.n0 = b->count[0], .n1 = 1, .dst0 = b->dst[0], .src0 = b->src[0]};
    if (b->dims > 1) p.n1 = b->count[1], p.dst1 = b->dst[1], p.src1 = b->src[1];
    size_t index[GAS_BOX_MAX_DIMS];
    for (int k = 2; k < b->dims; k++) index[k] = 0;
    for (;;) {
        copy_plane(&p, dst, src, b->elem);
        int k = 2;
        for (; k < b->dims; k++) {
            dst += b->dst[k];
            src += b->src[k];
            if (++index[k] < b->count[k]) break;
            dst -= b->dst[k] * (ptrdiff_t)b->count[k];
            src -= b->src[k] * (ptrdiff_t)b->count[k];
            index[k] = 0;
        }
        if (k >= b->dims) return;
    }
}
