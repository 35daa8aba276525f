// threads: 1 2 3 4 7
/* 7.4.3p1: UPC_FUNC, and UPC_NONCOMM_FUNC, whose operands stay in order. Composing affine maps x -> ax + b (mod 251) is
 * associative and does not commute; a map is one int. */
#include "check.h"
#include <upc_collective.h>

#define B 3
#define PER_THREAD 50
shared [B] int in[PER_THREAD * THREADS], out[PER_THREAD * THREADS];
shared int result[THREADS];
shared double din[THREADS], dresult;

static int after(int f, int g) {
    int a = f >> 8, b = f & 255, c = g >> 8, d = g & 255;
    return (a * c % 251) << 8 | (c * b + d) % 251;
}
static int larger(int a, int b) { return a > b ? a : b; }
static double least(double a, double b) { return a < b ? a : b; }

int main(void) {
    int n = PER_THREAD * THREADS;
    for (int i = 0; i < n; i++)
        if ((int)upc_threadof(&in[i]) == MYTHREAD) in[i] = (i * 13 % 250 + 1) << 8 | (i * 37 % 251);
    for (int from = 0; from < 8; from++)
        for (int count = 1; count <= n - from; count = count * 2 + 1) {
            upc_all_reduceI(result, in + from, UPC_NONCOMM_FUNC, (size_t)count, B, after, 0);
            upc_all_prefix_reduceI(out + from, in + from, UPC_NONCOMM_FUNC, (size_t)count, B, after, 0);
            int x = in[from], most = in[from];
            for (int i = 0; i < count; i++) {
                if (i) x = after(x, in[from + i]);
                most = larger(most, in[from + i]);
                CHECK_EQ(x, out[from + i]);
            }
            CHECK_EQ(x, result[0]);
            upc_barrier;
            upc_all_reduceI(result, in + from, UPC_FUNC, (size_t)count, B, larger, 0);
            CHECK_EQ(most, result[0]);
            upc_barrier;
            bupc_all_reduce_allI(result, in + from, UPC_NONCOMM_FUNC, (size_t)count, B, after, 0);
            CHECK_EQ(x, result[MYTHREAD]);
            upc_barrier;
        }
    din[MYTHREAD] = 10.5 - MYTHREAD;
    upc_all_reduceD(&dresult, din, UPC_FUNC, (size_t)THREADS, 1, least, 0);
    CHECK(dresult == 10.5 - (THREADS - 1));
    return 0;
}
