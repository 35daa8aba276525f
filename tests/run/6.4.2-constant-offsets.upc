// threads: 1 2 3 5
/* p + c and p[c] for constants c, which the compiler translates otherwise than variables: less than a block away, a block away, and
 * more, in both directions; the result's thread, phase and address are those of single steps. */
#include "check.h"

#define N (60 * THREADS)
struct twelve {
    int a, b, c;
};
shared [10] int ten[N];
shared [3] struct twelve three[N];
shared [2] char two[N];

/* From every element between the ends. */
#define OFFSET(array, block, type, c) \
    for (int i = 15; i < N - 15; i++) { \
        shared [block] type *p = array, *q = array; \
        for (int k = 0; k < i; k++) p++; \
        for (int k = 0; k < i + (c); k++) q++; \
        shared [block] type *r = p + (c), *s = q - (c); \
        CHECK(r == q && upc_phaseof(r) == upc_phaseof(q) && upc_threadof(r) == upc_threadof(q)); \
        CHECK_EQ((i + (c)) % block, upc_phaseof(r)); \
        CHECK(s == p && upc_phaseof(s) == upc_phaseof(p)); \
        CHECK(&p[c] == q && r - p == (c)); \
        r = p; \
        r += (c); \
        CHECK(r == q && upc_phaseof(r) == upc_phaseof(q)); \
    }
#define OFFSETS(array, block, type) \
    OFFSET(array, block, type, 1) \
    OFFSET(array, block, type, 2) \
    OFFSET(array, block, type, 3) \
    OFFSET(array, block, type, 7) \
    OFFSET(array, block, type, 9) \
    OFFSET(array, block, type, 10) \
    OFFSET(array, block, type, 11) \
    OFFSET(array, block, type, 15) \
    OFFSET(array, block, type, -1) \
    OFFSET(array, block, type, -2) \
    OFFSET(array, block, type, -3) \
    OFFSET(array, block, type, -9) \
    OFFSET(array, block, type, -10) \
    OFFSET(array, block, type, -11)

int main(void) {
    OFFSETS(ten, 10, int)
    OFFSETS(three, 3, struct twelve)
    OFFSETS(two, 2, char)
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++) ten[i] = i;
    upc_barrier;
    for (int i = 10; i < N - 10; i++) {
        shared [10] int *p = &ten[i];
        CHECK_EQ(10 * i + 9 - 9, p[0] + p[1] + p[-1] + p[4] + p[-4] + p[9] + p[-9] + p[6] + p[-6] + p[-3] + 3);
    }
    return 0;
}
