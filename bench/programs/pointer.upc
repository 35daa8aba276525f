/* Incrementing pointers-to-shared of the three kinds, against incrementing a C pointer.
 *
 * A loop walks from the first element to the end, as programs do: one increment, one comparison, and nothing in the body
 * but a barrier for the compiler, without which it would compute the end at once. Instructions come from the processor's
 * counter where the system lets programs read it.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define N 4096

void pointer_c(void); /* pointer_c.c */

shared double y[N * THREADS];
shared [16] double k16[N * THREADS];
shared [1000] double k1000[5000 * THREADS];
shared [] double *heap;

#define WALK(name, type, from, end) \
    static __attribute__((noinline)) void name(void) { \
        for (type *p = from, *e = end; p != e; p++) __asm__ volatile(""); \
    }
WALK(indefinite, shared [] double, heap, heap + N)
WALK(cyclic, shared double, y, y + N)
WALK(block_16, shared [16] double, k16, k16 + N)
WALK(block_1000, shared [1000] double, k1000, k1000 + N)

static long instructions(int fd, bench_work work) {
    long before = 0, after = 0;
    if (fd < 0 || read(fd, &before, sizeof before) != sizeof before) return -1;
    for (int i = 0; i < 10; i++) work();
    if (read(fd, &after, sizeof after) != sizeof after) return -1;
    return after - before;
}

int main(void) {
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .size = sizeof attr, .config = PERF_COUNT_HW_INSTRUCTIONS};
    attr.exclude_kernel = 1;
    int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    heap = upc_alloc(N * sizeof(double));
    const struct {
        const char *kind;
        bench_work walk;
    } forms[] = {{"indefinite", indefinite}, {"cyclic", cyclic}, {"block-cyclic [16]", block_16},
                 {"block-cyclic [1000]", block_1000}};
    for (int f = 0; f < 4; f++) {
        char variant[96];
        long upc = instructions(fd, forms[f].walk), c = instructions(fd, pointer_c);
        if (upc < 0) snprintf(variant, sizeof variant, "%s", forms[f].kind);
        else
            snprintf(variant, sizeof variant, "%s (%.1f instructions, C %.1f)", forms[f].kind, upc / 10.0 / N, c / 10.0 / N);
        bench_compare("pointer", variant, BENCH_COST, BENCH_LAST, forms[f].walk, pointer_c, N, "ns");
    }
    upc_free(heap);
    return 0;
}
