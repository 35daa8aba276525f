// threads: 1 2 3 4 7
// time-limit: 240
/* bupc_mem{put,get}_ilist with regions of one length: they go by the mechanisms of indexed transfers, and there may be
 * more of them than one of those takes. */
#include <gas_tuning.h>
#include "check.h"

#define N 2600
#define MOST 300
shared [N * MOST] char there[N * MOST * THREADS];
static char mine[N * MOST], back[N * MOST];

static int indexed;
static void note(const struct gas_choice *c) {
    const char *of[] = {"put-indexed", "get-indexed", "put-pieces", "get-pieces"};
    for (int k = 0; k < 4; k++)
        if (strcmp(c->decision, of[k]) == 0) indexed |= 1 << k % 2;
}

int main(void) {
    static const int lengths[] = {1, 2, 4, 5, 8, 12, 16, 40, 255, 256, 300};
    static shared void *to[N];
    static shared const void *from[N];
    static const void *source[N];
    static void *sink[N];
    for (int k = 0; k < (int)(sizeof lengths / sizeof *lengths); k++)
        for (int async = 0; async < 2; async++) {
            int bytes = lengths[k];
            /* Element i of thread m goes to thread (i + m) % THREADS, whose place for it nobody else writes. */
            for (int i = 0; i < N * bytes; i++) mine[i] = (char)(i * 7 + i / 251 + MYTHREAD * 31 + k);
            for (int i = 0; i < N; i++) {
                int t = (i + MYTHREAD) % THREADS, place = i * 1007 % N; /* 1007 and N have no common divisor */
                to[i] = &there[(size_t)t * N * MOST + (size_t)place * MOST];
                from[i] = to[i];
                source[i] = mine + (size_t)(N - 1 - i) * bytes;
                sink[i] = back + (size_t)i * bytes;
            }
            indexed = 0;
            gas_tell(note);
            if (async)
                bupc_waitsync(bupc_memput_ilist_async(N, to, bytes, N, source, bytes));
            else
                bupc_memput_ilist(N, to, bytes, N, source, bytes);
            upc_barrier;
            if (async)
                bupc_waitsync(bupc_memget_ilist_async(N, sink, bytes, N, from, bytes));
            else
                bupc_memget_ilist(N, sink, bytes, N, from, bytes);
            gas_tell(NULL);
            if (bytes < 256) CHECK_EQ(3, indexed);
            for (int i = 0; i < N; i++) CHECK(memcmp(sink[i], source[i], bytes) == 0);
            upc_barrier;
        }
    return 0;
}
