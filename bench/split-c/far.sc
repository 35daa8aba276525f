/* Gets and bulk gets from another processor that shares no memory with this one, against blocking reads and against the
 * runtime's own gas_get. */
#include "pairs.h"

#define UNDER_WAY 16
#define MOST (1 << 20)

/* far_c.c: calls gas_get, for which a global pointer is a pointer-to-shared. */
void plain_get(void *to, const void *global from, size_t bytes);

long source[PROCS]::[UNDER_WAY];
char large[PROCS]::[MOST];
static long got[UNDER_WAY];
static char *ours, *other;
static size_t bytes;

static void gets(void) {
    for (int i = 0; i < UNDER_WAY; i++) got[i] := source[PROCS - 1][i];
    sync();
}
static void reads(void) {
    for (int i = 0; i < UNDER_WAY; i++) got[i] = source[PROCS - 1][i];
}
static void bulk(void) {
    bulk_get(ours, large[PROCS - 1], bytes);
    sync();
}
static void blocking(void) { bulk_read(ours, large[PROCS - 1], bytes); }
static void plain(void) { plain_get(other, large[PROCS - 1], bytes); }

int splitc_main(int argc, char **argv) {
    static const size_t sizes[] = {8, 1024, 16384, 262144, MOST};
    char row[80];
    pairs_clock = CLOCK_MONOTONIC;
    for (int i = 0; i < UNDER_WAY; i++) source[MYPROC][i] = 100 * MYPROC + i;
    for (int i = 0; i < MOST; i++) tolocal(large[MYPROC])[i] = (char)(i * 31 + MYPROC);
    ours = malloc(MOST), other = malloc(MOST);
    barrier();
    on_one {
        for (int i = 0; i < UNDER_WAY; i++) got[i] = -1;
        pairs_measure(":= of 16 words, then sync(), against 16 blocking reads", 1, 1.5, gets, reads);
        for (int i = 0; i < UNDER_WAY; i++) got[i] = -1;
        gets();
        for (int i = 0; i < UNDER_WAY; i++) pairs_check(got[i] == 100 * (PROCS - 1) + i, "gets");
        for (int k = 0; k < 5; k++) {
            bytes = sizes[k];
            snprintf(row, sizeof row, "bulk_get of %zu bytes, then sync(), against gas_get", bytes);
            memset(ours, 0, MOST), memset(other, 0, MOST);
            pairs_measure(row, 1, 0.97, bulk, plain);
            pairs_check(memcmp(ours, other, bytes) == 0 && ours[1] == (char)(31 + PROCS - 1), row);
            snprintf(row, sizeof row, "bulk_read of %zu bytes against gas_get", bytes);
            pairs_measure(row, 1, 0.97, blocking, plain);
        }
    }
    barrier();
    return 0;
}
