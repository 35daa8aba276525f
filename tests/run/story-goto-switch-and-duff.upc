// threads: 1 2 3
/* Control flow of all kinds around shared accesses: Duff's device between shared arrays, switch into loops, backward and forward goto across
 * blocks that declare pointers-to-shared, nested breaks, fall-through. */
#include "check.h"

shared [5] int from[40 * THREADS];
shared [3] int to[40 * THREADS];

static void duff(shared [3] int *t, shared [5] int *f, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *t++ = *f++;
        case 7: *t++ = *f++;
        case 6: *t++ = *f++;
        case 5: *t++ = *f++;
        case 4: *t++ = *f++;
        case 3: *t++ = *f++;
        case 2: *t++ = *f++;
        case 1: *t++ = *f++;
        } while (--n > 0);
    }
}

static int machine(shared [5] int *program) {
    int acc = 0;
    shared [5] int *pc = program;
next:
    switch (*pc++) {
    case 0:
        return acc;
    case 1:
        acc += *pc++;
        goto next;
    case 2: {
        int by = *pc++;
        acc *= by;
        goto next;
    }
    case 3:
        pc += *pc; /* jump, relative */
        goto next;
    default:
        goto bad;
    }
bad:
    return -1;
}

int main(void) {
    for (int count = 1; count <= 40 * THREADS; count += 7) {
        upc_barrier;
        for (int i = MYTHREAD; i < 40 * THREADS; i += THREADS) from[i] = i + count, to[i] = -1;
        upc_barrier;
        if (MYTHREAD == count % THREADS) duff(to, from, count);
        upc_barrier;
        for (int i = 0; i < 40 * THREADS; i++) CHECK_EQ(i < count ? i + count : -1, to[i]);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        int code[] = {1, 5, 2, 3, 3, 3, 9, 9, 1, 2, 0};
        for (int i = 0; i < 11; i++) from[i] = code[i];
    }
    upc_barrier;
    CHECK_EQ(17, machine(from));
    CHECK_EQ(-1, machine(from + 7));
    int i = 0, j, sum = 0;
again:
    for (j = 0; j < 10; j++) {
        shared [5] int *p = &from[j];
        if (*p == 9) goto out;
        while (1) {
            if (j > 4) break;
            sum += p - from;
            break;
        }
        if (j == 5) {
            if (i++ < 3) goto again;
        }
    }
out:
    CHECK_EQ(6, j);
    CHECK_EQ(4 * 10, sum);
    return 0;
}
