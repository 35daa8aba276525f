// threads: 1 2 3 4 7
/* bupc_sem: counting, trying, boolean ones, ping-pong, many producers and many consumers, and a signalled put. */
#include "check.h"

shared [1] struct {
    bupc_sem_t *ping, *pong, *count;
    int data[4];
} box[THREADS];
bupc_sem_t *shared common;
shared int taken[THREADS];

int main(void) {
    bupc_sem_t *s = bupc_sem_alloc(0);
    CHECK_EQ(MYTHREAD, upc_threadof(s));
    CHECK(!bupc_sem_try(s));
    bupc_sem_post(s);
    bupc_sem_wait(s);
    bupc_sem_postN(s, 5);
    CHECK(!bupc_sem_tryN(s, 6));
    CHECK(bupc_sem_tryN(s, 2));
    bupc_sem_waitN(s, 2);
    CHECK(bupc_sem_try(s));
    CHECK(!bupc_sem_try(s));
    bupc_sem_free(s);
    s = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    bupc_sem_post(s);
    bupc_sem_post(s);
    CHECK(bupc_sem_try(s));
    CHECK(!bupc_sem_try(s)); /* it counts to 1 */
    bupc_sem_free(s);

    box[MYTHREAD].ping = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    box[MYTHREAD].pong = bupc_sem_alloc(0);
    box[MYTHREAD].count = bupc_sem_alloc(BUPC_SEM_MPRODUCER);
    if (MYTHREAD == 0) common = bupc_sem_alloc(BUPC_SEM_MCONSUMER);
    upc_barrier;
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int round = 0; round < 50; round++) {
        int mine[4] = {round, MYTHREAD, round * MYTHREAD, -1};
        if (round % 2)
            bupc_memput_signal(box[right].data, mine, sizeof mine, box[right].ping, 1);
        else
            bupc_memput_signal_async(box[right].data, mine, sizeof mine, box[right].ping, 1);
        bupc_sem_wait(box[MYTHREAD].ping);
        CHECK_EQ(round, box[MYTHREAD].data[0]);
        CHECK_EQ(left, box[MYTHREAD].data[1]);
        CHECK_EQ(round * left, box[MYTHREAD].data[2]);
        /* The sender may overwrite it now. */
        bupc_sem_post(box[left].pong);
        bupc_sem_wait(box[MYTHREAD].pong);
    }
    for (int i = 0; i < 20; i++)
        for (int t = 0; t < THREADS; t++) bupc_sem_postN(box[t].count, 2);
    bupc_sem_waitN(box[MYTHREAD].count, 40u * THREADS);
    CHECK(!bupc_sem_try(box[MYTHREAD].count));
    /* Every thread takes its share from one semaphore that all fill. */
    for (int i = 0; i < 30; i++) {
        bupc_sem_post(common);
        bupc_sem_wait(common);
        taken[MYTHREAD]++;
    }
    upc_barrier;
    CHECK_EQ(30, taken[right]);
    CHECK(!bupc_sem_try(common));

    /* A boolean one does not count signals, its owner or another thread takes them; the data may lie elsewhere. */
    box[MYTHREAD].ping = bupc_sem_alloc(BUPC_SEM_BOOLEAN);
    upc_barrier;
    int mine[4] = {7, MYTHREAD, 0, 0};
    for (int i = 0; i < 3; i++) bupc_memput_signal(box[left].data, mine, sizeof mine, box[right].ping, 1);
    upc_barrier;
    CHECK_EQ(right, box[MYTHREAD].data[1]);
    bupc_sem_wait(box[right].ping);
    CHECK(!bupc_sem_try(box[right].ping));
    upc_barrier;
    bupc_sem_post(box[right].ping);
    bupc_sem_wait(box[MYTHREAD].ping);
    bupc_sem_free(box[MYTHREAD].ping);
    return 0;
}
