/* The mechanisms that copy two dimensions of elements. All have the same result. A function that returns a bool returns
 * false, and has done nothing, where it does not serve the shape; a function that returns a mechanism returns the one
 * that was performed. */
#ifndef GAS_STRIDED_MECHANISMS_H
#define GAS_STRIDED_MECHANISMS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/tuning.h"

/* n1 rows of n0 elements, and the strides of both. */
struct gas_plane {
    size_t n0, n1;
    ptrdiff_t dst0, dst1, src0, src1;
};

static inline size_t gas_distance(ptrdiff_t stride) { return stride < 0 ? -(size_t)stride : (size_t)stride; }

/* A loop for each size of element (element.h). */
void gas_plane_loop(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* The same in vectors of 32 bytes, where the processor has them and there is a loop for the size. */
enum core_mechanism gas_plane_wide(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* memcpy for each element. */
void gas_plane_library(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Prefetches lines before they are needed. */
enum core_mechanism gas_plane_prefetch(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Elements of 4 or 8 bytes, many by one instruction; one side must be contiguous. */
bool gas_plane_vector(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Bypasses the caches, whole lines at a time: a contiguous destination, or elements that are lines. */
bool gas_plane_stream(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Small squares, one after the other. */
void gas_plane_tiles(const struct gas_plane *p, char *dst, const char *src, size_t size);

#endif
