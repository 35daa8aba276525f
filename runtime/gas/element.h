/* Loops that copy many elements of one size: the size is chosen once, outside of the loop, and each common size has a
 * loop of its own whose copy is a few moves. Sizes between two of those are copied as two halves that overlap in the
 * middle.
 *
 */
#ifndef GAS_ELEMENT_H
#define GAS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GAS_ALWAYS_INLINE static inline __attribute__((always_inline))

typedef char gas_element_vector __attribute__((vector_size(16), aligned(1), may_alias));

GAS_ALWAYS_INLINE gas_element_vector gas_element_load(const char *p) { return *(const gas_element_vector *)p; }
GAS_ALWAYS_INLINE void gas_element_store(char *p, gas_element_vector v) { *(gas_element_vector *)p = v; }

/* One element of `size` bytes, width <= size <= 2 * width; constants where the loop is for one size. Loads before
 * stores: a load waits for an earlier store whose address looks like its own. */
GAS_ALWAYS_INLINE void gas_element_copy(char *dst, const char *src, size_t size, size_t width) {
    char *dst_end = dst + size - width;
    const char *src_end = src + size - width;
    if (width == 64) {
        gas_element_vector a = gas_element_load(src), b = gas_element_load(src + 16), c = gas_element_load(src + 32),
                           d = gas_element_load(src + 48);
        if (size != width) {
            gas_element_vector e = gas_element_load(src_end), f = gas_element_load(src_end + 16),
                               g = gas_element_load(src_end + 32), h = gas_element_load(src_end + 48);
            gas_element_store(dst_end, e), gas_element_store(dst_end + 16, f);
            gas_element_store(dst_end + 32, g), gas_element_store(dst_end + 48, h);
        }
        gas_element_store(dst, a), gas_element_store(dst + 16, b);
        gas_element_store(dst + 32, c), gas_element_store(dst + 48, d);
    } else if (width == 32) {
        gas_element_vector a = gas_element_load(src), b = gas_element_load(src + 16);
        if (size != width) {
            gas_element_vector c = gas_element_load(src_end), d = gas_element_load(src_end + 16);
            gas_element_store(dst_end, c), gas_element_store(dst_end + 16, d);
        }
        gas_element_store(dst, a), gas_element_store(dst + 16, b);
    } else {
        char a[16], b[16];
        memcpy(a, src, width);
        if (size != width) memcpy(b, src_end, width);
        memcpy(dst, a, width);
        if (size != width) memcpy(dst_end, b, width);
    }
}

/* Four small ones, all loaded before the first is stored: the loads need not wait for the stores. */
GAS_ALWAYS_INLINE void gas_element_copy4(char *dst0, char *dst1, char *dst2, char *dst3, const char *src0,
                                         const char *src1, const char *src2, const char *src3, size_t size) {
    char a[16], b[16], c[16], d[16];
    memcpy(a, src0, size), memcpy(b, src1, size), memcpy(c, src2, size), memcpy(d, src3, size);
    memcpy(dst0, a, size), memcpy(dst1, b, size), memcpy(dst2, c, size), memcpy(dst3, d, size);
}

/* n elements, `dst_stride` and `src_stride` bytes apart. */
GAS_ALWAYS_INLINE void gas_element_row(char *dst, ptrdiff_t dst_stride, const char *src, ptrdiff_t src_stride, size_t n,
                                       size_t size, size_t width) {
    if (size == width && width <= 16)
        for (; n >= 4; n -= 4, dst += 4 * dst_stride, src += 4 * src_stride)
            gas_element_copy4(dst, dst + dst_stride, dst + 2 * dst_stride, dst + 3 * dst_stride, src, src + src_stride,
                              src + 2 * src_stride, src + 3 * src_stride, size);
    for (; n; n--, dst += dst_stride, src += src_stride) gas_element_copy(dst, src, size, width);
}

/* The address in entry i of a list of addresses of either kind. */
GAS_ALWAYS_INLINE char *gas_element_entry(const void *list, size_t i) {
    char *p;
    memcpy(&p, (const char *)list + i * sizeof p, sizeof p);
    return p;
}

/* A side of a copy: a list of addresses, or elements one after another. */
struct gas_element_side {
    bool is_list; /* a constant */
    const void *at;
};

GAS_ALWAYS_INLINE char *gas_element_at(struct gas_element_side s, size_t i, size_t size) {
    return s.is_list ? gas_element_entry(s.at, i) : (char *)(uintptr_t)s.at + i * size;
}

GAS_ALWAYS_INLINE void gas_element_list(struct gas_element_side dst, struct gas_element_side src, size_t n, size_t size,
                                        size_t width) {
    size_t i = 0;
    if (size == width && width <= 16)
        for (; i + 4 <= n; i += 4)
            gas_element_copy4(gas_element_at(dst, i, size), gas_element_at(dst, i + 1, size),
                              gas_element_at(dst, i + 2, size), gas_element_at(dst, i + 3, size),
                              gas_element_at(src, i, size), gas_element_at(src, i + 1, size),
                              gas_element_at(src, i + 2, size), gas_element_at(src, i + 3, size), size);
    for (; i < n; i++) gas_element_copy(gas_element_at(dst, i, size), gas_element_at(src, i, size), size, width);
}

#endif
