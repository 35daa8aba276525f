// threads: 1 2 3 4
// comm: off on on,force
/* 6.6.2: the body of a upc_forall may be any statement, also one that ends with an `if` without `else`; and a upc_forall may stand between an
 * `if` and its `else`. */
#include <upc_relaxed.h>
#include "check.h"

enum { N = 40 };
shared int cyclic[N * THREADS];
shared [7] int blocks[N * THREADS];
shared [3] int rows[N * THREADS][3];
static int ran[N * 64];

#define BODIES(affinity) \
    do { \
        upc_forall (i = 0; i < n; i++; affinity) \
            while (ran[i] < 5) \
                if (i % 3) ran[i]++; \
                else break; \
        upc_forall (int i = 0; i < n; i++; affinity) \
            if (i % 3) ran[i]++; \
        upc_forall (i = 0; i < n; i++; affinity) \
            for (int k = 0; k < 2; k++) \
                if (i % 3) ran[i]++; \
        upc_forall (int i = 0; i < n; i++; affinity) \
            if (i % 3 == 0) \
                ; \
            else if (i % 3 == 1) \
                ran[i]++; \
            else if (i % 3 == 2) ran[i]++; \
        if (n) \
            upc_forall (int i = 0; i < n; i++; affinity) \
                if (i % 3) ran[i]++; \
                else ran[i] = 0; \
        else CHECK(0); \
        if (n) \
            upc_forall (i = 0; i < n; i++; affinity) \
                if (i % 3) ran[i]++; \
                else ran[i] += 0; \
        else \
            CHECK(0); \
        for (int i = 0; i < n; i++) { \
            CHECK_EQ(i % 3 && (int)upc_threadof(&at[i]) == MYTHREAD ? 11 : 0, ran[i]); \
            ran[i] = 0; \
        } \
    } while (0)

int main(void) {
    int n = N * THREADS, i;
    {
        shared int *at = cyclic;
        BODIES(i);
        BODIES(&cyclic[i]);
        BODIES(&at[i]);
        BODIES(&rows[i][0]);
        BODIES(&rows[i][2]);
    }
    {
        shared [7] int *at = blocks;
        BODIES(&blocks[i]);
        BODIES(&at[i]);
        BODIES(i / 7);
    }
    return 0;
}
