/* The mechanisms that copy two dimensions of elements. They do the same: those that return a bool return false, and have
 * done nothing, where the shape is not theirs; those that return a mechanism say which one it was in the end. */
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
/* The same in vectors of 32 bytes, where the processor has them and the size is one for them. */
enum core_mechanism gas_plane_wide(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* memcpy for each element. */
void gas_plane_library(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Asks for lines before they are needed. */
enum core_mechanism gas_plane_prefetch(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Elements of 4 or 8 bytes, many by one instruction; one side contiguous. */
bool gas_plane_vector(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Past the caches, whole lines at a time: a contiguous destination, or elements that are lines. */
bool gas_plane_stream(const struct gas_plane *p, char *dst, const char *src, size_t size);
/* Small squares, one after the other. */
void gas_plane_tiles(const struct gas_plane *p, char *dst, const char *src, size_t size);

#endif
