// flags: -fcomm-opt
// comm: strips strips=1,force strips=3,force strips=64 strips,outbox,lines
// A loop that steps a pointer-to-shared up to another one (6.4.2) may read ahead what it comes to: the result, and where the pointer is
// then, are those of the plain loop.
#include <upc_relaxed.h>
#include "check.h"

#define N 90
#define A (N * THREADS)

struct rec {
    int n;
    short low[3];
    unsigned f : 5, g : 9;
};

shared int cyclic[A];
shared [10] double tens[A];
shared [3] struct rec recs[A];
shared [N] long blocks[A];
shared [] long *one;

static void forms(void) {
    double sum = 0, right = 0;
    shared int *p = cyclic, *end = cyclic + A;
    while (p != end) sum += *p++;
    for (int i = 0; i < A; i++) right += i;
    CHECK(sum == right && p == end && upc_threadof(p) == 0);
    shared [10] double *q;
    for (q = tens; q < tens + A; q++) sum = sum * .5 + *q;
    for (int i = 0; i < A; i++) right = right * .5 + i * 3;
    CHECK(sum == right && q == &tens[A] && upc_phaseof(q) == upc_phaseof(&tens[A]));
    sum = right = 0;
    for (shared [10] double *z = &tens[7]; &tens[A - 5] > z; ++z) {
        if (*z < 60) continue;
        if (*z > 240) break;
        sum += *z * 2 - z[1] + z[-1];
    }
    for (int i = 7; i < A - 5 && i * 3 <= 240; i++)
        if (i * 3 >= 60) right += i * 6 - 6;
    CHECK(sum == right);
    long copy[N], *to = copy;
    shared [] long *o = one;
    while (o < one + N) {
        *to++ = *o;
        o++;
    }
    for (int i = 0; i < N; i++) CHECK(copy[i] == i * 7);
    CHECK(o == one + N && to == copy + N);
    shared [3] struct rec *w = recs + 2, *last = &recs[A];
    sum = right = 0;
    while (last != w) {
        sum += w->n + w->low[1] * 3 + (*w).f * 5 + w->g * 7;
        w += 1;
    }
    for (int i = 2; i < A; i++) right += i + i % 100 * 3 + i % 32 * 5 + i * 7 % 512 * 7;
    CHECK(sum == right && w == last);
    for (w = recs; w < last; w++)
        if (w->low[1] == 77) break;
    CHECK(w == recs + 77 && w->n == 77);
    /* Steps that not each iteration makes, and a pointer that goes elsewhere. */
    int odd = 0;
    for (p = cyclic; p != end;) {
        if (odd ^= 1) continue;
        sum += *p++;
    }
    for (int i = 0; i < A; i++) right += i;
    CHECK(sum == right);
    for (p = cyclic; p < end; p += 1 + odd) odd = *p == 5 ? 0 : odd, right++;
    CHECK(p == end);
    /* The end moves, or is never before the pointer. */
    end = cyclic + A - 1;
    long count = 0;
    for (p = cyclic; p < end; p++) count += *p >= 0, end--;
    CHECK(count == A / 2);
    for (p = cyclic + 9; p < cyclic + 3; p++) count = -1;
    CHECK(count == A / 2 && p == cyclic + 9);
}

/* The loop writes what it comes to later: through the pointer, and by one to its own memory. */
static void written(void) {
    upc_barrier;
    long *own = (long *)&blocks[MYTHREAD * N];
    shared [N] long *p, *first = &blocks[MYTHREAD * N];
    for (int i = 0; i < N; i++) own[i] = i;
    long *next = own + 1;
    for (p = first; p < first + N - 1; p++) *next++ = *p + 2;
    for (int i = 0; i < N; i++) CHECK(own[i] == 2 * i);
    for (p = first; p < first + N - 1; p++) p[1] = *p + 3;
    for (int i = 0; i < N; i++) CHECK(own[i] == 3 * i);
    shared [N] long *q = first + 1;
    p = first;
    while (p < first + N - 1) *q++ = *p++ + 4;
    for (int i = 0; i < N; i++) CHECK(own[i] == 4 * i);
    upc_barrier;
}

int main(void) {
    one = upc_all_alloc(1, N * sizeof(long));
    for (int i = MYTHREAD; i < A; i += THREADS) {
        cyclic[i] = i, tens[i] = i * 3;
        recs[i].n = i, recs[i].low[1] = i % 100, recs[i].f = i % 32, recs[i].g = i * 7 % 512;
    }
    for (int i = MYTHREAD; i < N; i += THREADS) one[i] = i * 7;
    upc_barrier;
    forms();
    written();
    return 0;
}
