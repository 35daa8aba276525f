/* upc_memget, upc_memput and upc_memcpy of 64 bytes to 64 MiB, against memcpy between the very same addresses.
 *
 * The last thread works; what is shared belongs to thread 0 (upc_memcpy: from thread 0 to the last thread).
 */
#include <upc_castable.h>

#include "bench.h"

#define LARGEST (64l << 20)

void copy_c(void); /* copy_c.c */
extern void *copy_c_to, *copy_c_from;
extern unsigned long copy_c_bytes;

static shared [] char *shared home[THREADS];
static shared [] char *far, *near;
static char *private;
static size_t bytes;

static __attribute__((noinline)) void get(void) { upc_memget(private, far, bytes); }
static __attribute__((noinline)) void put(void) { upc_memput(far, private, bytes); }
static __attribute__((noinline)) void copy(void) { upc_memcpy(near, far, bytes); }

int main(void) {
    home[MYTHREAD] = upc_alloc(2 * LARGEST);
    private = malloc(LARGEST);
    memset(private, MYTHREAD, LARGEST);
    upc_memset(home[MYTHREAD], MYTHREAD, 2 * LARGEST);
    upc_barrier;
    far = home[0];
    near = home[THREADS - 1] + LARGEST;
    void *far_c = upc_cast(far), *near_c = upc_cast(near);

    for (bytes = 64; bytes <= LARGEST; bytes *= 4) {
        char variant[64];
        copy_c_bytes = bytes;
        const char *unit = bytes >= 1 << 20 ? "MiB" : bytes >= 1 << 10 ? "KiB" : "B";
        int number = (int)(bytes >= 1 << 20 ? bytes >> 20 : bytes >= 1 << 10 ? bytes >> 10 : bytes);
#define FORM(work, to, from) \
    snprintf(variant, sizeof variant, "upc_mem" #work " %d %s", number, unit); \
    copy_c_to = to, copy_c_from = from; \
    bench_compare(bytes > 4096 ? "copy" : "short copy", variant, BENCH_SPEED, BENCH_LAST, work, copy_c, (double)bytes, "GB/s");
#define cpy copy
        FORM(get, private, far_c)
        FORM(put, far_c, private)
        FORM(cpy, near_c, far_c)
    }
    return 0;
}
