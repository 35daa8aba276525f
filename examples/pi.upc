/* Pi as the area under 4 / (1 + x^2) between 0 and 1, cut into STRIPS strips that the threads take in turn. */
#include <math.h>
#include <stdio.h>
#include <upc.h>

#define STRIPS 10000000

shared double part[THREADS]; /* one element on each thread */

int main(void) {
    double sum = 0;

    /* An integer as affinity: iteration i belongs to thread i % THREADS. */
    upc_forall (int i = 0; i < STRIPS; i++; i) {
        double x = (i + 0.5) / STRIPS;
        sum += 4 / (1 + x * x);
    }
    part[MYTHREAD] = sum / STRIPS;
    upc_barrier;

    if (MYTHREAD == 0) {
        double pi = 0;
        for (int t = 0; t < THREADS; t++) pi += part[t];
        printf("pi is %.12f (%d threads)\n", pi, THREADS);
        if (fabs(pi - 3.14159265358979) > 1e-10) upc_global_exit(1);
    }
    return 0;
}
