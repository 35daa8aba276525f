/* Loops that copy many elements of one size: the size is chosen once, outside of the loop, and each common size has a
 * loop of its own whose copy is a few moves. Elements of sizes between two common ones are copied as a head and a tail
 * that overlap.
 *
 * Vectors of 16 bytes exist everywhere, those of 32 where the processor has AVX: a file that copies elements of 32
 * bytes and more has a function for either (GAS_ELEMENT_FOR_WIDE, gas_element_has_wide). Half as many moves per element
 * pay even where the processor waits for memory: more elements are under way at a time. Vectors of 64 bytes gain
 * nothing over those of 32, and lose where elements are not aligned for them.
 */
#ifndef GAS_ELEMENT_H
#define GAS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gas.h"

#define GAS_ALWAYS_INLINE static inline __attribute__((always_inline))

enum { GAS_ELEMENT_NARROW = 16, GAS_ELEMENT_WIDE = 32 };
typedef char gas_element_narrow __attribute__((vector_size(GAS_ELEMENT_NARROW), aligned(1), may_alias));
typedef char gas_element_wide __attribute__((vector_size(GAS_ELEMENT_WIDE), aligned(1), may_alias));

#ifdef __x86_64__
#define GAS_ELEMENT_FOR_WIDE __attribute__((target("avx")))
GAS_ALWAYS_INLINE bool gas_element_has_wide(void) { return __builtin_cpu_supports("avx"); }
#else
#define GAS_ELEMENT_FOR_WIDE
GAS_ALWAYS_INLINE bool gas_element_has_wide(void) { return false; }
#endif

/* ---- one element ------------------------------------------------------------------------------------------------- */

/* Up to 128 bytes in registers (64 in narrow vectors). */
struct gas_element_part {
    uint64_t small;
    gas_element_narrow a, b, c, d;
    gas_element_wide e, f, g, h;
};

/* `width` is a power of two, and a constant like `vector`. */
GAS_ALWAYS_INLINE void gas_element_load(struct gas_element_part *p, const char *src, size_t width, size_t vector) {
    const gas_element_narrow *narrow = (const gas_element_narrow *)src;
    const gas_element_wide *wide = (const gas_element_wide *)src;
    if (width < 16) {
        memcpy(&p->small, src, width);
    } else if (width == 16 || vector == GAS_ELEMENT_NARROW) {
        p->a = narrow[0];
        if (width > 16) p->b = narrow[1];
        if (width > 32) p->c = narrow[2], p->d = narrow[3];
    } else {
        p->e = wide[0];
        if (width > 32) p->f = wide[1];
        if (width > 64) p->g = wide[2], p->h = wide[3];
    }
}

/* Keeps the compiler from moving loads and stores across it. Stores that do not go upwards, one after the other, can
 * take a third longer: only neighbouring stores in that order go to the cache together. */
GAS_ALWAYS_INLINE void gas_element_in_order(void) { __asm__ volatile("" ::: "memory"); }

GAS_ALWAYS_INLINE void gas_element_store(char *dst, const struct gas_element_part *p, size_t width, size_t vector) {
    gas_element_narrow *narrow = (gas_element_narrow *)dst;
    gas_element_wide *wide = (gas_element_wide *)dst;
    if (width < 16) {
        memcpy(dst, &p->small, width);
    } else if (width == 16 || vector == GAS_ELEMENT_NARROW) {
        narrow[0] = p->a;
        if (width > 16) gas_element_in_order(), narrow[1] = p->b;
        if (width > 32) gas_element_in_order(), narrow[2] = p->c;
        if (width > 32) gas_element_in_order(), narrow[3] = p->d;
    } else {
        wide[0] = p->e;
        if (width > 32) gas_element_in_order(), wide[1] = p->f;
        if (width > 64) gas_element_in_order(), wide[2] = p->g;
        if (width > 64) gas_element_in_order(), wide[3] = p->h;
    }
}

/* One element of `size` bytes: its first `width` bytes, and its last `tail` unless `width` is all. Loads come before
 * stores: a load waits for an earlier store whose address looks like its own. */
GAS_ALWAYS_INLINE void gas_element_copy(char *dst, const char *src, size_t size, size_t width, size_t tail,
                                        size_t vector) {
    struct gas_element_part first, last;
    gas_element_load(&first, src, width, vector);
    if (tail) gas_element_load(&last, src + size - tail, tail, vector);
    if (width > 16) gas_element_in_order();
    gas_element_store(dst, &first, width, vector);
    if (tail) gas_element_in_order();
    if (tail) gas_element_store(dst + size - tail, &last, tail, vector);
}

/* Four small elements, all loaded before the first is stored: the loads need not wait for the stores. */
GAS_ALWAYS_INLINE void gas_element_copy4(char *dst0, char *dst1, char *dst2, char *dst3, const char *src0,
                                         const char *src1, const char *src2, const char *src3, size_t width) {
    struct gas_element_part a, b, c, d;
    gas_element_load(&a, src0, width, GAS_ELEMENT_NARROW), gas_element_load(&b, src1, width, GAS_ELEMENT_NARROW);
    gas_element_load(&c, src2, width, GAS_ELEMENT_NARROW), gas_element_load(&d, src3, width, GAS_ELEMENT_NARROW);
    gas_element_store(dst0, &a, width, GAS_ELEMENT_NARROW), gas_element_store(dst1, &b, width, GAS_ELEMENT_NARROW);
    gas_element_store(dst2, &c, width, GAS_ELEMENT_NARROW), gas_element_store(dst3, &d, width, GAS_ELEMENT_NARROW);
}

/* ---- many -------------------------------------------------------------------------------------------------------- */

/* A list of addresses, or of words of near memory: `bias` is added to an entry to make an address. */
struct gas_element_list {
    const char *at;
    unsigned long bias;
};
GAS_ALWAYS_INLINE struct gas_element_list gas_element_addresses(const void *list) {
    return (struct gas_element_list){list, 0};
}
GAS_ALWAYS_INLINE struct gas_element_list gas_element_words(const void *list) {
    return (struct gas_element_list){list, (unsigned long)fathom_local(0)};
}
GAS_ALWAYS_INLINE struct gas_element_list gas_element_from(struct gas_element_list list, size_t i) {
    return (struct gas_element_list){list.at + i * sizeof(void *), list.bias};
}

/* The address in entry i. */
GAS_ALWAYS_INLINE char *gas_element_entry(struct gas_element_list list, size_t i) {
    uintptr_t p;
    memcpy(&p, list.at + i * sizeof p, sizeof p);
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    p += list.bias;
#endif
    return (char *)p;
}

/* A side of a copy: a list, or elements `stride` bytes apart. If there are rows, the next begins `row` bytes later. */
struct gas_element_side {
    bool is_list; /* a constant */
    const char *at;
    ptrdiff_t stride, row;
    unsigned long bias;
};

GAS_ALWAYS_INLINE struct gas_element_side gas_element_listed(struct gas_element_list list) {
    return (struct gas_element_side){.is_list = true, .at = list.at, .bias = list.bias};
}
GAS_ALWAYS_INLINE struct gas_element_side gas_element_array(const void *at, ptrdiff_t stride, ptrdiff_t row) {
    return (struct gas_element_side){.at = at, .stride = stride, .row = row};
}

GAS_ALWAYS_INLINE char *gas_element_at(struct gas_element_side s, size_t i) {
    return s.is_list ? gas_element_entry((struct gas_element_list){s.at, s.bias}, i)
                     : (char *)(uintptr_t)s.at + (ptrdiff_t)i * s.stride;
}
GAS_ALWAYS_INLINE void gas_element_pass(struct gas_element_side *s, size_t n) {
    s->at += (ptrdiff_t)n * (s->is_list ? (ptrdiff_t)sizeof(void *) : s->stride);
}

/* The maximal number of elements to prefetch ahead. Where each element is a line of its own, this many misses under way
 * exceed the processor's own window of instructions. */
enum { GAS_ELEMENT_AHEAD = 32 };

/* Prefetches the lines of an element. */
GAS_ALWAYS_INLINE void gas_element_ask(struct gas_element_side dst, struct gas_element_side src, size_t i,
                                       size_t size) {
    const char *from = gas_element_at(src, i), *to = gas_element_at(dst, i);
    __builtin_prefetch(from);
    if (size > 64) __builtin_prefetch(from + 64);
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*to)); /* no compiler makes it of __builtin_prefetch without being told */
#else
    __builtin_prefetch(to, 1);
#endif
}

/* Prefetches the element `ahead` elements further on, but none beyond the last; with 0, a constant, it prefetches
 * nothing. */
GAS_ALWAYS_INLINE void gas_element_row(struct gas_element_side dst, struct gas_element_side src, size_t n, size_t size,
                                       size_t width, size_t tail, size_t vector, size_t ahead) {
    if (!tail && width <= 16) {
        for (; ahead && n >= ahead + 4; n -= 4, gas_element_pass(&dst, 4), gas_element_pass(&src, 4)) {
            for (size_t k = 0; k < 4; k++) gas_element_ask(dst, src, ahead + k, size);
            gas_element_copy4(gas_element_at(dst, 0), gas_element_at(dst, 1), gas_element_at(dst, 2),
                              gas_element_at(dst, 3), gas_element_at(src, 0), gas_element_at(src, 1),
                              gas_element_at(src, 2), gas_element_at(src, 3), width);
        }
        for (; n >= 4; n -= 4, gas_element_pass(&dst, 4), gas_element_pass(&src, 4))
            gas_element_copy4(gas_element_at(dst, 0), gas_element_at(dst, 1), gas_element_at(dst, 2),
                              gas_element_at(dst, 3), gas_element_at(src, 0), gas_element_at(src, 1),
                              gas_element_at(src, 2), gas_element_at(src, 3), width);
    }
    for (; ahead && n > ahead; n--, gas_element_pass(&dst, 1), gas_element_pass(&src, 1)) {
        gas_element_ask(dst, src, ahead, size);
        gas_element_copy(gas_element_at(dst, 0), gas_element_at(src, 0), size, width, tail, vector);
    }
    for (; n; n--, gas_element_pass(&dst, 1), gas_element_pass(&src, 1))
        gas_element_copy(gas_element_at(dst, 0), gas_element_at(src, 0), size, width, tail, vector);
}

/* n elements in each row. */
GAS_ALWAYS_INLINE void gas_element_rows(struct gas_element_side dst, struct gas_element_side src, size_t n, size_t rows,
                                        size_t size, size_t width, size_t tail, size_t vector, size_t ahead) {
    for (; rows; rows--, dst.at += dst.row, src.at += src.row)
        gas_element_row(dst, src, n, size, width, tail, vector, ahead);
}

/* The sizes for which there is a loop in wide vectors. */
GAS_ALWAYS_INLINE bool gas_element_may_be_wide(size_t size) { return size >= 32 && size <= 256; }

/* Elements of any size but 0; in wide vectors, of a size for which there is a loop. */
GAS_ALWAYS_INLINE void gas_elements(struct gas_element_side dst, struct gas_element_side src, size_t n, size_t rows,
                                    size_t size, size_t vector, size_t ahead) {
    if (vector == GAS_ELEMENT_NARROW && size < 32) {
        switch (size) {
        case 1: gas_element_rows(dst, src, n, rows, 1, 1, 0, vector, ahead); return;
        case 2: gas_element_rows(dst, src, n, rows, 2, 2, 0, vector, ahead); return;
        case 3: gas_element_rows(dst, src, n, rows, 3, 2, 1, vector, ahead); return;
        case 4: gas_element_rows(dst, src, n, rows, 4, 4, 0, vector, ahead); return;
        case 8: gas_element_rows(dst, src, n, rows, 8, 8, 0, vector, ahead); return;
        case 12: gas_element_rows(dst, src, n, rows, 12, 8, 4, vector, ahead); return;
        case 16: gas_element_rows(dst, src, n, rows, 16, 16, 0, vector, ahead); return;
        case 24: gas_element_rows(dst, src, n, rows, 24, 16, 8, vector, ahead); return;
        }
        if (size < 8)
            gas_element_rows(dst, src, n, rows, size, 4, 4, vector, ahead);
        else if (size < 16)
            gas_element_rows(dst, src, n, rows, size, 8, 8, vector, ahead);
        else if (size < 24)
            gas_element_rows(dst, src, n, rows, size, 16, 8, vector, ahead);
        else
            gas_element_rows(dst, src, n, rows, size, 16, 16, vector, ahead);
    } else if (size == 32) {
        gas_element_rows(dst, src, n, rows, 32, 32, 0, vector, ahead);
    } else if (size <= 40) {
        gas_element_rows(dst, src, n, rows, size, 32, 8, vector, ahead);
    } else if (size <= 48) {
        gas_element_rows(dst, src, n, rows, size, 32, 16, vector, ahead);
    } else if (size < 64) {
        gas_element_rows(dst, src, n, rows, size, 32, 32, vector, ahead);
    } else if (size == 64) {
        gas_element_rows(dst, src, n, rows, 64, 64, 0, vector, ahead);
    } else if (size <= 96) {
        gas_element_rows(dst, src, n, rows, size, 64, 32, vector, ahead);
    } else if (size <= 128) {
        gas_element_rows(dst, src, n, rows, size, 64, 64, vector, ahead);
    } else if (vector == GAS_ELEMENT_WIDE && size <= 192) {
        gas_element_rows(dst, src, n, rows, size, 128, 64, vector, ahead);
    } else if (vector == GAS_ELEMENT_WIDE) {
        gas_element_rows(dst, src, n, rows, size, 128, 128, vector, ahead);
    } else {
        for (; rows; rows--, dst.at += dst.row, src.at += src.row)
            for (size_t i = 0; i < n; i++) {
                if (ahead && i + 4 < n) gas_element_ask(dst, src, i + 4, size);
                memcpy(gas_element_at(dst, i), gas_element_at(src, i), size);
            }
    }
}

/* One call of the C library for each. */
GAS_ALWAYS_INLINE void gas_elements_library(struct gas_element_side dst, struct gas_element_side src, size_t n,
                                            size_t rows, size_t size) {
    for (; rows; rows--, dst.at += dst.row, src.at += src.row)
        for (size_t i = 0; i < n; i++) memcpy(gas_element_at(dst, i), gas_element_at(src, i), size);
}

#endif
