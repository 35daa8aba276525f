// threads: 1 2 3 4 8
/* 6.6.2p9 and example 1: the outermost upc_forall with an affinity other than continue controls; all others in it behave as
 * if theirs were continue, and those around it run on every thread. */
#include "forall.h"

#define N 7
shared int a[N * THREADS];
shared [2] int b[N * THREADS];

int main(void) {
    int i, j, k, n = N * THREADS;

    /* The example: i and k on every thread, j by affinity. */
    upc_forall (i = 0; i < 3; i++; continue)
        upc_forall (j = 0; j < n; j++; &a[j])
            upc_forall (k = 0; k < 5; k++; &b[k])
                note(&got_log, (i * 1000 + j) * 1000 + k);
    for (i = 0; i < 3; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < 5; k++)
                if (j % THREADS == MYTHREAD) note(&want_log, (i * 1000 + j) * 1000 + k);
    compare_logs(__FILE__, __LINE__);

    /* The outer controls, integer in pointer. */
    upc_forall (i = 0; i < n; i++; &b[i]) {
        upc_forall (j = 0; j < n; j++; j) note(&got_log, i * 1000 + j);
        note(&got_log, -i);
    }
    for (i = 0; i < n; i++)
        if (owner_of(i, 2, THREADS) == MYTHREAD) {
            for (j = 0; j < n; j++) note(&want_log, i * 1000 + j);
            note(&want_log, -i);
        }
    compare_logs(__FILE__, __LINE__);

    /* Two controlled ones one after the other, inside an empty one; a `for` between. */
    upc_forall (i = 0; i < 4; i++;) {
        upc_forall (j = 0; j < n; j++; j) note(&got_log, i * 1000 + j);
        for (k = 0; k < 2; k++) upc_forall (j = 0; j < n; j++; &b[j]) note(&got_log, 5000 + i * 1000 + j);
    }
    for (i = 0; i < 4; i++) {
        for (j = 0; j < n; j++)
            if (j % THREADS == MYTHREAD) note(&want_log, i * 1000 + j);
        for (k = 0; k < 2; k++)
            for (j = 0; j < n; j++)
                if (owner_of(j, 2, THREADS) == MYTHREAD) note(&want_log, 5000 + i * 1000 + j);
    }
    compare_logs(__FILE__, __LINE__);

    /* Afterwards affinity counts again. */
    FORALL_TEST(i = 0, i < n, i++, i, i, i % THREADS);
    return 0;
}
