// What a loop writes or names in a form that is rare: by __real__, _Generic or __extension__, through a pointer to a pointer, through a type that may be any,
// beyond a segment, in a size. Each loop is compared with one that a label keeps as it is written.
// conduits: smp template mpi
#include <upc_relaxed.h>

#include "check.h"

#define PART 1000
shared [PART] long x[PART * THREADS];
shared [PART] double d[PART * THREADS];
shared [PART] double _Complex z[PART * THREADS];
shared [PART] long counted[PART * THREADS];
shared [] long *bound;
static int id[PART];
static long s, c;

// The same loop, and one with a label.
#define BOTH(NAME, DECLARED, HEAD, BODY)                                                                               \
    static void NAME##_plain(void) {                                                                                   \
        DECLARED;                                                                                                      \
        for (HEAD) BODY                                                                                                \
    }                                                                                                                  \
    static void NAME##_as_written(void) {                                                                              \
        DECLARED;                                                                                                      \
        for (HEAD) {                                                                                                   \
            __label__ here;                                                                                            \
            if (s == -1) goto here;                                                                                    \
        here:                                                                                                          \
            BODY                                                                                                       \
        }                                                                                                              \
    }

BOTH(size_of_own, char b[100], int i = 0; i < 300; i++, { char b[3]; b[0] = 1; s += x[id[i] + sizeof b] + b[0]; })
BOTH(type_of_own, short b = 0, int i = 0; i < 300; i++, { signed char b = 0; s += x[((__typeof__(b))(id[i] & 127) & 63) + b]; })
BOTH(size_in_condition, char b[100], int i = 0; i < 300; i++, { char b[3]; b[0] = 1; if (id[i] > (int)sizeof b) s += x[id[i]]; })
BOTH(extension, int k = 0, int i = 0; i < 100; i++, { s += x[i + k]; __extension__ k += 1; })
BOTH(extension_counter, , int i = 0; i < 300; i++, { s += x[i]; c++; __extension__ i += 1; })
BOTH(real, double _Complex n = 400, int i = 0; i < (int)n; i++, { s += x[i]; c++; __real__ n = 40; })
BOTH(real_of_place, double _Complex n = 0, int i = 0; i < 100; i++, { s += x[i + (int)n]; __real__ n += 1; })
BOTH(generic, int n = 400, int i = 0; i < n; i++, { s += x[i]; c++; _Generic(0, int: n) = 40; })
BOTH(chosen, int n = 400, int i = 0; i < n; i++, { s += x[i]; c++; __builtin_choose_expr(1, n, 0) = 40; })
BOTH(pointer_to_pointer, shared [] long **p = &bound; shared [] long *n = bound; *n = 400, int i = 0; i < *n; i++,
     { s += d[id[i]]; **p = 40; c++; })
BOTH(cast_pointer, shared [] double *p = (shared [] double *)bound; shared [] long *n = bound; *n = 400, int i = 0; i < *n; i++,
     { s += d[id[i]]; *(shared [] long *)p = 40; c++; })
BOTH(size_with_effect, int m = 0, int i = 0; i < 300; i++,
     { s += bupc_atomicI64_fetchadd_relaxed((shared long *)&counted[id[i] + m], 1) + 0 * sizeof(char[m++ + 2]); })

// Parts of complex numbers, which lie where others are read.
static void parts(shared [] double _Complex *t, shared [] double _Complex *q) {
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        sum += __real__ t[id[i]];
        __real__ q[i + 1] = sum / 2 + i;
    }
    s = (long)sum % 1000003;
}
static void parts_as_written(shared [] double _Complex *t, shared [] double _Complex *q) {
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        __label__ here;
        if (s == -1) goto here;
    here:
        sum += __real__ t[id[i]];
        __real__ q[i + 1] = sum / 2 + i;
    }
    s = (long)sum % 1000003;
}

// A type that may be any.
typedef float __attribute__((may_alias)) any_float;
static int index_of[PART];
static void any_type(int *p, any_float *w) {
    union { float f; int i; } u;
    s = 0;
    for (int i = 0; i < 200; i++) {
        s = s / 2 + x[p[i]];
        u.i = (i * 7 + 3) % PART;
        w[i + 1] = u.f;
    }
}
static void any_type_as_written(int *p, any_float *w) {
    union { float f; int i; } u;
    s = 0;
    for (int i = 0; i < 200; i++) {
        __label__ here;
        if (s == -1) goto here;
    here:
        s = s / 2 + x[p[i]];
        u.i = (i * 7 + 3) % PART;
        w[i + 1] = u.f;
    }
}

// A condition keeps the loop from elements before the array, whose places are outside of the segment.
#define BEFORE 20000
static int own[BEFORE + 200];
static void outside(long *p) {
    s = 0;
    for (int i = 0; i < BEFORE + 200; i++) {
        if (i >= BEFORE) p[i - BEFORE] = i % 100;
        s = s / 2 + x[own[i]];
    }
}
static void outside_as_written(long *p) {
    s = 0;
    for (int i = 0; i < BEFORE + 200; i++) {
        __label__ here;
        if (s == -1) goto here;
    here:
        if (i >= BEFORE) p[i - BEFORE] = i % 100;
        s = s / 2 + x[own[i]];
    }
}

static void fill(void) {
    for (int i = 0; i < PART * THREADS; i++) {
        x[i] = i * 37 % 1009;
        d[i] = i % 13;
        z[i] = i % 11;
        counted[i] = i % 7;
    }
    for (int i = 0; i < PART; i++) id[i] = i, index_of[i] = i * 3 % PART;
    for (int i = 0; i < BEFORE + 200; i++) own[i] = MYTHREAD * PART + (i < BEFORE ? 0 : i - BEFORE);
    s = c = 0;
    upc_fence;
}
static long all(void) {
    long h = s * 31 + c;
    for (int i = 0; i < PART * THREADS; i++) h = (h * 31 + x[i] + 7 * counted[i] + 13 * (long)__real__ z[i]) % 1000000007;
    return h;
}
#define COMPARE(PLAIN, AS_WRITTEN)                                                                                     \
    do {                                                                                                               \
        fill();                                                                                                        \
        PLAIN;                                                                                                         \
        long found = all();                                                                                            \
        fill();                                                                                                        \
        AS_WRITTEN;                                                                                                    \
        CHECK(found == all());                                                                                         \
    } while (0)
#define COMPARE_BOTH(NAME) COMPARE(NAME##_plain(), NAME##_as_written())

int main(void) {
    bound = (shared [] long *)&counted[PART - 1];
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        COMPARE_BOTH(size_of_own);
        COMPARE_BOTH(type_of_own);
        COMPARE_BOTH(size_in_condition);
        COMPARE_BOTH(extension);
        COMPARE_BOTH(extension_counter);
        COMPARE_BOTH(real);
        COMPARE_BOTH(real_of_place);
        COMPARE_BOTH(generic);
        COMPARE_BOTH(chosen);
        COMPARE_BOTH(pointer_to_pointer);
        COMPARE_BOTH(cast_pointer);
        COMPARE_BOTH(size_with_effect);
        COMPARE(parts((shared [] double _Complex *)z, (shared [] double _Complex *)z),
                parts_as_written((shared [] double _Complex *)z, (shared [] double _Complex *)z));
        COMPARE(any_type(index_of, (any_float *)index_of), any_type_as_written(index_of, (any_float *)index_of));
        COMPARE(outside((long *)&x[MYTHREAD * PART + 1]), outside_as_written((long *)&x[MYTHREAD * PART + 1]));
    }
    upc_barrier;
    return 0;
}
