/* Reading and writing eight bytes of another thread's memory, the data being in the cache, against a C load or store
 * through a pointer. The last thread works on thread 0's memory; with one thread, on its own.
 *
 * BENCH_KEEP makes every access happen. A batch is 1000 accesses, one after the other.
 */
#include "bench.h"

#define ACCESSES 1000

long scalar_c_read(void); /* scalar_c.c */
void scalar_c_write(void);
void scalar_c_read_element(void);
void scalar_c_write_element(void);
void scalar_c_atomic_read(void);
void scalar_c_atomic_write(void);
extern long scalar_c_sum;

shared long x;
shared long each[THREADS];
strict shared long flag;
static shared long *cyclic;
static shared [] long *indefinite;
static int peer;
long scalar_sum;

#define READ(name, access) \
    static __attribute__((noinline)) void name(void) { \
        long s = 0; \
        for (int k = 0; k < ACCESSES; k++) { \
            s += access; \
            BENCH_KEEP(); \
        } \
        scalar_sum = s; \
    }
#define WRITE(name, access) \
    static __attribute__((noinline)) void name(void) { \
        for (int k = 0; k < ACCESSES; k++) { \
            access = k; \
            BENCH_KEEP(); \
        } \
    }
READ(read_x, x)
READ(read_cyclic, *cyclic)
READ(read_indefinite, *indefinite)
READ(read_strict, flag)
WRITE(write_x, x)
WRITE(write_cyclic, *cyclic)
WRITE(write_indefinite, *indefinite)
WRITE(write_strict, flag)

/* The thread in a register, as in loops over the elements of another thread. */
static __attribute__((noinline)) void read_each(void) {
    long s = 0;
    int t = peer;
    for (int k = 0; k < ACCESSES; k++) {
        s += each[t];
        BENCH_KEEP();
    }
    scalar_sum = s;
}
static __attribute__((noinline)) void write_each(void) {
    int t = peer;
    for (int k = 0; k < ACCESSES; k++) {
        each[t] = k;
        BENCH_KEEP();
    }
}
/* The thread read anew each time, so that every access computes where its element is. */
READ(read_element, each[peer])
WRITE(write_element, each[peer])

static void c_read(void) { scalar_c_sum = scalar_c_read(); }

int main(void) {
    peer = 0;
    cyclic = &each[0];
    indefinite = (shared [] long *)&each[0];
    upc_barrier;
#define FORM(upc, c, text, row) bench_compare(row, text, BENCH_COST, BENCH_LAST, upc, c, ACCESSES, "ns");
    FORM(read_x, c_read, "read of a shared variable", "scalar")
    FORM(read_each, c_read, "read of each[t]", "scalar")
    FORM(read_cyclic, c_read, "read through a cyclic pointer", "scalar")
    FORM(read_indefinite, c_read, "read through an indefinite pointer", "scalar")
    FORM(write_x, scalar_c_write, "write of a shared variable", "scalar")
    FORM(write_each, scalar_c_write, "write of each[t]", "scalar")
    FORM(write_cyclic, scalar_c_write, "write through a cyclic pointer", "scalar")
    FORM(write_indefinite, scalar_c_write, "write through an indefinite pointer", "scalar")
    FORM(read_element, scalar_c_read_element, "read of each[t], t from memory, against C's array[t]", "subscript")
    FORM(write_element, scalar_c_write_element, "write of each[t], t from memory, against C's array[t]", "subscript")
    FORM(read_strict, scalar_c_atomic_read, "strict read, against C's seq_cst load", "strict scalar")
    FORM(write_strict, scalar_c_atomic_write, "strict write, against C's seq_cst store", "strict scalar")
    return 0;
}
