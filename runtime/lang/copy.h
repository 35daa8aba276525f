/* Copies of contiguous data between places that this process can reach. The compiler makes those of a known small size by
 * itself. For the others a few moves in place, the C library, or another mechanism serve, by size; the tuning table
 * (core/tuning.h) says from where to where. Included by the prelude; includes nothing. */
#ifndef FATHOM_COPY_H
#define FATHOM_COPY_H

/* Written once before main: fewer bytes are moved in place (at most 33); from so many on, fathom_copy_long is called. */
extern const unsigned long fathom_copy_in_place_below, fathom_copy_long_from;
void fathom_copy_long(void *dst, const void *src, unsigned long n); /* gas/copy.c */

struct fathom_copy_pair {
    unsigned long word[2];
};

/* n <= 32, known at run time only. Both ends are loaded before either is stored; they overlap. */
FATHOM_INLINE void fathom_copy_in_place(void *to, const void *from, unsigned long n) {
    char *dst = (char *)to;
    const char *src = (const char *)from;
    /* The compiler would warn of objects smaller than what only larger sizes move. */
    __asm__("" : "+r"(dst), "+r"(src));
    if (n >= 16) {
        struct fathom_copy_pair a, b;
        __builtin_memcpy(&a, src, 16);
        __builtin_memcpy(&b, src + n - 16, 16);
        __builtin_memcpy(dst, &a, 16);
        __builtin_memcpy(dst + n - 16, &b, 16);
    } else if (n >= 8) {
        unsigned long a, b;
        __builtin_memcpy(&a, src, 8);
        __builtin_memcpy(&b, src + n - 8, 8);
        __builtin_memcpy(dst, &a, 8);
        __builtin_memcpy(dst + n - 8, &b, 8);
    } else if (n >= 4) {
        unsigned a, b;
        __builtin_memcpy(&a, src, 4);
        __builtin_memcpy(&b, src + n - 4, 4);
        __builtin_memcpy(dst, &a, 4);
        __builtin_memcpy(dst + n - 4, &b, 4);
    } else if (n >= 2) {
        unsigned short a, b;
        __builtin_memcpy(&a, src, 2);
        __builtin_memcpy(&b, src + n - 2, 2);
        __builtin_memcpy(dst, &a, 2);
        __builtin_memcpy(dst + n - 2, &b, 2);
    } else if (n) {
        *dst = *src;
    }
}

FATHOM_INLINE void fathom_copy_near(void *dst, const void *src, unsigned long n) {
    if (__builtin_constant_p(n) && n < 4096)
        __builtin_memcpy(dst, src, n);
    else if (n < fathom_copy_in_place_below)
        fathom_copy_in_place(dst, src, n);
    else if (__builtin_expect(n >= fathom_copy_long_from, 0))
        fathom_copy_long(dst, src, n);
    else
        __builtin_memcpy(dst, src, n);
}

#endif
