// flags: -fcomm-opt
// comm: gathers
// A loop that repeats a long one which gathers takes no memory for all that it reads (docs/decisions/0017); and long rows of elements that
// follow each other come in strips, place by place they would be ten times as slow.
#include <sys/resource.h>
#include <upc_relaxed.h>
#include "check.h"

#define N 64
#define TRIPS 6000000
#define LONG 1000

shared int a[N * THREADS];
shared [] double *shared first;
extern unsigned long fathom_gathered __attribute__((weak)); /* elements; not on every conduit */

static long kilobytes(void) {
    struct rusage used;
    CHECK(getrusage(RUSAGE_SELF, &used) == 0);
    return used.ru_maxrss;
}

static unsigned long gathered(void) { return &fathom_gathered ? fathom_gathered : 0; }

static void rows(void) {
    shared [] double *row = first;
    unsigned long before = gathered();
    double sum = 0, wanted = 0;
    for (int times = 0; times < 10; times++)
        for (int i = 0; i < LONG; i++) sum += row[i];
    for (int i = 0; i < LONG; i++)
        for (int j = i; j < LONG; j++) sum += row[j];
    for (int i = 0; i < LONG; i++) wanted += (10. + i + 1) * i;
    CHECK(sum == wanted);
    CHECK_EQ(before, gathered());
}

int main(void) {
    if (MYTHREAD == 0) {
        first = upc_alloc(LONG * sizeof(double));
        for (int i = 0; i < LONG; i++) first[i] = i;
        for (int i = 0; i < N * THREADS; i++) a[i] = i;
    }
    upc_barrier;
    /* One by one that takes minutes. */
    const char *comm = getenv("FATHOM_COMM");
    if (!comm || !strstr(comm, "gathers")) return 0;
    rows();
    long before = kilobytes(), sum = 0;
    if (MYTHREAD == THREADS - 1)
        for (int times = 0; times < 8; times++)
            for (int i = 0; i < TRIPS; i++) sum += a[(i * 7 + times) % N];
    CHECK_EQ(MYTHREAD == THREADS - 1 ? 8l * (TRIPS / N) * (N * (N - 1) / 2) : 0, sum);
    CHECK(kilobytes() - before < 50000);
    return 0;
}
