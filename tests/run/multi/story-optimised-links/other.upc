#include <upc.h>

extern shared int common[THREADS];
static shared int own[THREADS];

int own_of_other(int thread) { return own[thread]; }

int next(int add) {
    static shared int calls;
    static shared [1 << 20] char large[(1 << 25) * THREADS];
    own[MYTHREAD] = 100 + common[MYTHREAD] / 10;
    if (add) calls += add;
    return calls + large[(1 << 20) * THREADS];
}
