/* Which line of a set gives way: a chain through few lines that want the same set, each visited several times a lap in an order
 * that is any, but known.
 *
 *     visits lines=N apart=S times=V seed=K
 *
 * Lines 0 to N - 1 lie S bytes apart. A lap visits each of them V times, in an order that who asks can make as well: 0 0 … 1 1 …
 * N-1 N-1, each V times, shuffled from the end (i = N V … 2: the visit i - 1 changes places with visit r mod i), where r is the upper
 * half of x, and x, at first K, becomes x * 6364136223846793005 + 1442695040888963407 (mod 2^64) before each. The t-th visit of a line
 * reads its word t, which holds the address of the next visit, so that nothing runs ahead. Samples are ns per visit, whole laps.
 */
#include <stdlib.h>

#include "probe/memory.h"

enum { MOST_LINES = 256, MOST_TIMES = 8 };

struct lap {
    void **at;
    long visits;
};

static void walk_laps(void *lap, long n) {
    struct lap *l = lap;
    l->at = walk(l->at, (n + l->visits - 1) / l->visits * l->visits);
}

static void shuffle_visits(uint16_t *visit, int n, uint64_t x) {
    for (int i = n; i > 1; i--) {
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
        int j = (int)((x >> 32) % (uint64_t)i);
        uint16_t keep = visit[i - 1];
        visit[i - 1] = visit[j];
        visit[j] = keep;
    }
}

void run_visits(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    const int lines = (int)request_number(request, "lines", 2), times = (int)request_number(request, "times", 1);
    const size_t apart = (size_t)request_number(request, "apart", 4096);
    if (lines < 1 || lines > MOST_LINES || times < 1 || times > MOST_TIMES || apart < 64 || apart % 64 ||
        apart > (size_t)1 << 30)
        return reply_error(reply, "a lap cannot visit %d lines %zu bytes apart %d times", lines, apart, times);
    char *memory = keep_memory(request, reply, (size_t)lines * apart);
    if (!memory) return;
    uint16_t visit[MOST_LINES * MOST_TIMES], seen[MOST_LINES] = {0};
    const int n = lines * times;
    for (int i = 0; i < n; i++) visit[i] = (uint16_t)(i / times);
    shuffle_visits(visit, n, (uint64_t)request_number(request, "seed", 1));
    /* In the middle of the spacing: where pages begin, other things lie too. */
    char *middle = memory + apart / 128 * 64;
    void **first = NULL, **last = NULL;
    for (int i = 0; i < n; i++) {
        void **word = (void **)(void *)(middle + visit[i] * apart) + seen[visit[i]]++;
        if (last)
            *last = word;
        else
            first = word;
        last = word;
    }
    *last = first;
    struct lap lap = {first, n};
    sample(request, reply, walk_laps, NULL, &lap);
}
