/* Copies of contiguous data between places that this process can reach. The compiler makes those of a known small size by
 * itself. For the others a few moves in place, the C library, or another mechanism serve, by size; the tuning table
 * (core/tuning.h) says from where to where.
 *
 * A copy of 1, 2, 4, 8 or 16 bytes is one store, whatever the table says: gas.h promises it. Two stores of the same value
 * would undo what another thread writes between them (a consumer that resets a flag), and memcpy makes two. So sizes up
 * to 16 are always moved in place. Included by the prelude; includes nothing. */
#ifndef FATHOM_COPY_H
#define FATHOM_COPY_H

enum { FATHOM_ALWAYS_IN_PLACE = 16 }; /* so many bytes, and fewer */

/* Written by the runtime: fewer bytes are moved in place (17 to 33); from so many on, fathom_copy_long is called. */
extern const unsigned long fathom_copy_in_place_below, fathom_copy_long_from;
void fathom_copy_long(void *dst, const void *src, unsigned long n); /* gas/copy.c */

/* 16 bytes of any alignment, which one instruction stores; of a structure the compiler may make two. */
typedef char fathom_copy_wide __attribute__((vector_size(16), aligned(1), may_alias));

/* n <= 32, known at run time only. Sizes between those of registers are two moves that overlap: both loads come before
 * either store. */
FATHOM_INLINE void fathom_copy_in_place(void *to, const void *from, unsigned long n) {
    char *dst = (char *)to;
    const char *src = (const char *)from;
    /* The compiler would warn of objects smaller than what only larger sizes move. */
    __asm__("" : "+r"(dst), "+r"(src));
    if (n > 8) {
        if (n >= 16) {
            fathom_copy_wide a = *(const fathom_copy_wide *)src, b = *(const fathom_copy_wide *)(src + n - 16);
            *(fathom_copy_wide *)dst = a;
            if (n > 16) *(fathom_copy_wide *)(dst + n - 16) = b;
        } else {
            unsigned long a, b;
            __builtin_memcpy(&a, src, 8);
            __builtin_memcpy(&b, src + n - 8, 8);
            __builtin_memcpy(dst, &a, 8);
            __builtin_memcpy(dst + n - 8, &b, 8);
        }
    } else if (n == 8) {
        unsigned long a;
        __builtin_memcpy(&a, src, 8);
        __builtin_memcpy(dst, &a, 8);
    } else if (n >= 4) {
        unsigned a, b;
        __builtin_memcpy(&a, src, 4);
        __builtin_memcpy(&b, src + n - 4, 4);
        __builtin_memcpy(dst, &a, 4);
        if (n > 4) __builtin_memcpy(dst + n - 4, &b, 4);
    } else if (n >= 2) {
        unsigned short a, b;
        __builtin_memcpy(&a, src, 2);
        __builtin_memcpy(&b, src + n - 2, 2);
        __builtin_memcpy(dst, &a, 2);
        if (n > 2) __builtin_memcpy(dst + n - 2, &b, 2);
    } else if (n) {
        *dst = *src;
    }
}

/* The runtime's own sources that define FATHOM_COPY_TELLS report what they take here; core/tuning.c passes it on to whoever
 * asks (gas_tuning.h). */
#ifdef FATHOM_COPY_TELLS
extern int fathom_copy_asked;
void fathom_copy_took(int is_in_place, unsigned long n);
#define FATHOM_COPY_TOOK(is_in_place, n)                                                                               \
    do {                                                                                                               \
        if (__builtin_expect(fathom_copy_asked, 0)) fathom_copy_took(is_in_place, n);                                  \
    } while (0)
#else
#define FATHOM_COPY_TOOK(is_in_place, n) (void)0
#endif

FATHOM_INLINE void fathom_copy_near(void *dst, const void *src, unsigned long n) {
    if (__builtin_constant_p(n) && n < 4096)
        __builtin_memcpy(dst, src, n);
    else if (n < fathom_copy_in_place_below) {
        fathom_copy_in_place(dst, src, n);
        FATHOM_COPY_TOOK(1, n);
    } else if (__builtin_expect(n >= fathom_copy_long_from, 0)) {
        fathom_copy_long(dst, src, n);
    } else if (n) { /* no bytes may be at null, which memcpy may not be given */
        __builtin_memcpy(dst, src, n);
        FATHOM_COPY_TOOK(0, n);
    }
}

#endif
