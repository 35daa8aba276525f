/* For overlap.sh: thread 0 begins transfers with both other threads, thread 2 first, and waits for all; so often, of each of three
 * kinds. On the wire they are known by their sizes: gets of some words, a put, several puts. The first get from each thread goes as a message of its own. */
#include <stdio.h>
#include <upc.h>
#include <upc_nb.h>

enum { TIMES = 6, GETS = 25, MANY = 12, LONG = 1100, SHORT = 20, EACH = 4096 };

shared [EACH] char blocks[EACH * THREADS];
static char mine[3][EACH];

static void gets(int thread) {
    for (int i = 0; i < GETS; i++) upc_memget_nbi(&mine[thread][8 * i], &blocks[thread * EACH + 8 * i], 8);
}
static void a_put(int thread) { upc_memput_nbi(&blocks[thread * EACH], mine[0], LONG); }
static void several_puts(int thread) {
    for (int i = 0; i < MANY; i++) upc_memput_nbi(&blocks[thread * EACH + SHORT * i], mine[0] + SHORT * i, SHORT);
}

int main(void) {
    static void (*const kinds[])(int) = {gets, a_put, several_puts};
    for (int i = 0; i < EACH; i++) blocks[MYTHREAD * EACH + i] = (char)(MYTHREAD + i);
    upc_barrier;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < TIMES && MYTHREAD == 0; i++) {
            kinds[kind](2);
            kinds[kind](1);
            upc_synci();
        }
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        for (int thread = 1; thread < 3; thread++)
            for (int i = 0; i < 8 * GETS; i++)
                if (mine[thread][i] != (char)(thread + i)) {
                    printf("byte %d of thread %d is wrong\n", i, thread);
                    return 1;
                }
        puts("good");
    }
    return 0;
}
