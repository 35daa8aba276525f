/* The loops of bandwidth.c, in vectors of one width. It is included once for each width, with
 *
 *     WIDTH    bytes of a vector: 16, 32, 64; or 8, a word, where there is no vector unit that we know
 *     TARGET   the attribute that lets the compiler use such vectors
 *     HELD     the constraint of inline assembler for a register that holds one
 *     STREAMS  there is STREAM_PAST(at, value), a store that bypasses the caches
 *
 * One iteration is 256 bytes of each array. An empty piece of assembler through which a value goes keeps the compiler from
 * dropping a load that nobody needs, and from making memcpy or memset of a loop; it costs no instruction. So what remains of
 * each loop is its loads, its stores, its arithmetic, an addition and a branch.
 */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(what) JOIN(what##_, WIDTH)
#define VECTOR NAME(vector)
enum { NAME(steps) = 256 / WIDTH };

#if WIDTH == 8
typedef double VECTOR;
#else
typedef double VECTOR __attribute__((vector_size(WIDTH)));
#endif

/* Each element's value goes through a register. */
#define KEEP(value) __asm__ volatile("" : "+" HELD(value))

TARGET static void NAME(load)(double *a, const double *b, const double *c, double s, size_t bytes) {
    const VECTOR *from = (const VECTOR *)a, *end = from + bytes / WIDTH;
    (void)b, (void)c, (void)s;
    for (; from < end; from += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) {
            VECTOR value = from[k];
            __asm__ volatile("" : : HELD(value));
        }
    }
}

TARGET static void NAME(store)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH, value = s - (VECTOR){0};
    (void)b, (void)c;
    for (; to < end; to += NAME(steps)) {
        KEEP(value);
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) to[k] = value;
    }
}

TARGET static void NAME(copy)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH;
    const VECTOR *from = (const VECTOR *)b;
    (void)c, (void)s;
    for (; to < end; to += NAME(steps), from += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) {
            VECTOR value = from[k];
            KEEP(value);
            to[k] = value;
        }
    }
}

TARGET static void NAME(scale)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH;
    const VECTOR *from = (const VECTOR *)b;
    (void)c;
    for (; to < end; to += NAME(steps), from += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) to[k] = s * from[k];
    }
}

TARGET static void NAME(sum)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH;
    const VECTOR *left = (const VECTOR *)b, *right = (const VECTOR *)c;
    (void)s;
    for (; to < end; to += NAME(steps), left += NAME(steps), right += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) to[k] = left[k] + right[k];
    }
}

TARGET static void NAME(triad)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH;
    const VECTOR *left = (const VECTOR *)b, *right = (const VECTOR *)c;
    for (; to < end; to += NAME(steps), left += NAME(steps), right += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) to[k] = left[k] + s * right[k];
    }
}

#ifdef STREAM_PAST
TARGET static void NAME(store_past)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH, value = s - (VECTOR){0};
    (void)b, (void)c;
    for (; to < end; to += NAME(steps)) {
        KEEP(value);
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) STREAM_PAST((double *)(to + k), value);
    }
    __builtin_ia32_sfence();
}

TARGET static void NAME(copy_past)(double *a, const double *b, const double *c, double s, size_t bytes) {
    VECTOR *to = (VECTOR *)a, *end = to + bytes / WIDTH;
    const VECTOR *from = (const VECTOR *)b;
    (void)c, (void)s;
    for (; to < end; to += NAME(steps), from += NAME(steps)) {
#pragma GCC unroll 32
        for (int k = 0; k < NAME(steps); k++) STREAM_PAST((double *)(to + k), from[k]);
    }
    __builtin_ia32_sfence();
}
#define PAST(what) NAME(what)
#else
#define PAST(what) NULL
#endif

/* In the order of enum operation. */
static stream_loop *const NAME(loops)[] = {
    NAME(load), NAME(store), NAME(copy), NAME(scale), NAME(sum), NAME(triad), PAST(store_past), PAST(copy_past),
};

#undef PAST
#undef KEEP
#undef VECTOR
#undef NAME
#undef JOIN
#undef JOIN2
#undef WIDTH
#undef TARGET
#undef HELD
#undef STREAM_PAST
