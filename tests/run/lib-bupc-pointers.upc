// threads: 1 2 3 4 7
/* bupc_ptradd, bupc_dump_shared, bupc_cast and its relatives, bupc_thread_distance, bupc_poll. */
#include "check.h"
#include <errno.h>

shared [4] int a[20 * THREADS];
shared int c[20 * THREADS];

int main(void) {
    for (int i = 0; i < 20 * THREADS; i++)
        for (int j = 0; j < 20 * THREADS; j += 3) {
            shared void *p = bupc_ptradd(&a[i], 4, sizeof(int), j - i);
            CHECK(p == (shared void *)&a[j]);
            CHECK_EQ(upc_phaseof(&a[j]), upc_phaseof(p));
            CHECK(bupc_ptradd(&c[i], 1, sizeof(int), j - i) == (shared void *)&c[j]);
        }
    shared [] int *mine = (shared [] int *)&c[MYTHREAD];
    CHECK(bupc_ptradd(mine, 0, sizeof(int), 5) == (shared void *)(mine + 5));

    char text[BUPC_DUMP_MIN_LENGTH], small[10];
    CHECK_EQ(0, bupc_dump_shared(&a[4 * (THREADS - 1) + 2], text, sizeof text));
    char thread[20];
    snprintf(thread, sizeof thread, "thread=%d", THREADS - 1);
    CHECK(strstr(text, thread) != NULL);
    CHECK(strstr(text, "phase=2") != NULL);
    CHECK_EQ(0, bupc_dump_shared(NULL, text, sizeof text));
    CHECK(strstr(text, "NULL") != NULL);
    errno = 0;
    CHECK_EQ(-1, bupc_dump_shared(a, small, sizeof small));
    CHECK_EQ(EINVAL, errno);

    int *local = bupc_cast(&c[MYTHREAD]);
    CHECK(local == (int *)&c[MYTHREAD]);
    CHECK(bupc_castable(&c[MYTHREAD]));
    CHECK(bupc_castable(NULL));
    CHECK(bupc_cast(NULL) == NULL);
    CHECK(bupc_thread_castable((unsigned)MYTHREAD));
    CHECK(!bupc_thread_castable((unsigned)THREADS));
    CHECK(bupc_inverse_cast(local) == (shared void *)&c[MYTHREAD]);
    int stack;
    CHECK(bupc_inverse_cast(&stack) == NULL);
    for (int t = 0; t < THREADS; t++) {
        shared void *there = bupc_local_to_shared(local, t, 0);
        CHECK(there == (shared void *)&c[t]);
        CHECK_EQ(bupc_castable(&c[t]), bupc_thread_castable((unsigned)t));
        unsigned distance = bupc_thread_distance(MYTHREAD, t);
        CHECK((distance == BUPC_THREADS_SAME) == (t == MYTHREAD));
        CHECK(distance <= BUPC_THREADS_VERYFAR);
        CHECK_EQ(distance, bupc_thread_distance(t, MYTHREAD));
    }
    CHECK_EQ(3, upc_phaseof(bupc_local_to_shared(&((int *)&a[4 * MYTHREAD])[3], MYTHREAD, 3)));
    bupc_poll();
    bupc_trace_printf(("ignored %d", 1));
    return 0;
}
