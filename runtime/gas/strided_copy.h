/* Strided copies within this process's memory. */
#ifndef GAS_STRIDED_COPY_H
#define GAS_STRIDED_COPY_H

#include <stdbool.h>
#include <stddef.h>

/* Every dimension left has two elements at least, and no two elements overlap at the destination. */
enum { GAS_BOX_MAX_DIMS = 48 };

/* The elements to be copied: as in gas_put_strided, but simplified. */
struct gas_box {
    size_t elem; /* bytes */
    int dims;
    size_t count[GAS_BOX_MAX_DIMS];
    ptrdiff_t dst[GAS_BOX_MAX_DIMS], src[GAS_BOX_MAX_DIMS]; /* strides */
};

/* Simplifies: dimensions of one element vanish, the others are ordered from the nearest elements to the farthest, and
 * dimensions that are contiguous on both sides are merged into one. False if there is nothing to copy. */
bool gas_box_make(struct gas_box *b, size_t elem, const size_t *count, const ptrdiff_t *dst, const ptrdiff_t *src,
                  int dims);
/* The strides of a side on which the elements are one after another, in order. */
void gas_box_packed(const struct gas_box *b, ptrdiff_t *stride);
size_t gas_box_bytes(const struct gas_box *b);
void gas_box_copy(const struct gas_box *b, void *dst, const void *src);
/* One dimension, without a box. */
void gas_row_copy(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t elem, size_t count);

#endif
