/* Loops that copy many elements of one size: the size is chosen once, outside of the loop, and each common size has a
 * loop of its own whose copy is a few moves. Sizes between two of those are copied as two halves that overlap in the
 * middle.
 *
 */
#ifndef GAS_ELEMENT_H
#define GAS_ELEMENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GAS_ALWAYS_INLINE static inline __attribute__((always_inline))

/* One element of `size` bytes, width <= size <= 2 * width; constants where the loop is for one size. */
GAS_ALWAYS_INLINE void gas_element_copy(char *dst, const char *src, size_t size, size_t width) {
    memcpy(dst, src, width);
    if (size != width) memcpy(dst + size - width, src + size - width, width);
}

/* Four at a time, all loaded before the first is stored: the loads need not wait for the stores. */
GAS_ALWAYS_INLINE void gas_element_copy4(char *const *dst, const char *const *src, size_t size, size_t width) {
    if (size == width && width <= 16) {
        char a[16], b[16], c[16], d[16];
        memcpy(a, src[0], width), memcpy(b, src[1], width), memcpy(c, src[2], width), memcpy(d, src[3], width);
        memcpy(dst[0], a, width), memcpy(dst[1], b, width), memcpy(dst[2], c, width), memcpy(dst[3], d, width);
    } else {
        for (int k = 0; k < 4; k++) gas_element_copy(dst[k], src[k], size, width);
    }
}

/* n elements, `dst_stride` and `src_stride` bytes apart. */
GAS_ALWAYS_INLINE void gas_element_row(char *dst, ptrdiff_t dst_stride, const char *src, ptrdiff_t src_stride, size_t n,
                                       size_t size, size_t width) {
    for (; n >= 4; n -= 4, dst += 4 * dst_stride, src += 4 * src_stride)
        gas_element_copy4((char *[]){dst, dst + dst_stride, dst + 2 * dst_stride, dst + 3 * dst_stride},
                          (const char *[]){src, src + src_stride, src + 2 * src_stride, src + 3 * src_stride}, size,
                          width);
    for (; n; n--, dst += dst_stride, src += src_stride) gas_element_copy(dst, src, size, width);
}

/* The address in entry i of a list of addresses of either kind. */
GAS_ALWAYS_INLINE char *gas_element_entry(const void *list, size_t i) {
    char *p;
    memcpy(&p, (const char *)list + i * sizeof p, sizeof p);
    return p;
}

/* A side of a copy: a list of addresses, or elements one after another. */
GAS_ALWAYS_INLINE char *gas_element_at(const void *list, char *packed, size_t i, size_t size) {
    return list ? gas_element_entry(list, i) : packed + i * size;
}

GAS_ALWAYS_INLINE void gas_element_list(const void *dst_list, char *dst, const void *src_list, const char *src,
                                        size_t n, size_t size, size_t width) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        char *to[4];
        const char *from[4];
        for (size_t k = 0; k < 4; k++) {
            to[k] = gas_element_at(dst_list, dst, i + k, size);
            from[k] = gas_element_at(src_list, (char *)(uintptr_t)src, i + k, size);
        }
        gas_element_copy4(to, from, size, width);
    }
    for (; i < n; i++)
        gas_element_copy(gas_element_at(dst_list, dst, i, size),
                         gas_element_at(src_list, (char *)(uintptr_t)src, i, size), size, width);
}

#endif
