// threads: 1 3
// comm: off on
/* Parameters are declared where no function is: what their array sizes and `typeof` read of shared memory is read as anywhere else. */
#include <upc_relaxed.h>
#include "check.h"

shared int one = 1;
strict shared int two;
shared struct {
    int n;
} record;
shared [] int *shared lead;

static long first(long a[one]) { return a[0]; }
static long second(int n, long a[one + n][3]) { return a[0][1] + (long)sizeof a[0]; }
static long third(long a[2][one]) { return a[1][0] + (long)sizeof a[0]; }
static long fourth(long (*a)[one]) { return a[1][0] + (long)sizeof *a; }
static long fifth(shared int *n, long a[*n]) { return a[0]; }
static long sixth(long a[static two]) { return a[0]; }
static long seventh(long a[record.n][record.n]) { return a[1][0]; }
static long eighth(long (*f)(long a[one]), long *x) { return f(x); }
static long ninth(a) long a[one]; { return a[0]; }
static long tenth(n, a) int n; long a[n][one]; { return a[1][0] + (long)sizeof a[0] + n; }
static inline long eleventh(const long a[const one]) { return a[0]; }
static long cube(int n, long a[restrict const one][n][one]) { return (long)sizeof a[0] + a[0][0][0]; }
static long deep(shared [] int *shared *p, long (*a)[**p]) { return (long)sizeof *a; }
static long threads(long a[THREADS], long b[2][THREADS]) { return a[0] + (long)sizeof b[0]; }
static long alike(typeof(one + 0) x, typeof(long[2]) *y) { return x + (*y)[1]; }
typedef long function(long a[one]);
static function declared;
static long declared(long a[one]) { return 2 * a[0]; }
static long prototype(long a[one], long b[][2]);
static long prototype(long a[one], long b[][2]) { return a[0] + b[1][0]; }
static typeof(one + 1) global = 5;

int main(void) {
    if (MYTHREAD == 0) {
        one = 3, two = 2, record.n = 2;
        lead = upc_alloc(sizeof(int));
        *lead = 3;
    }
    upc_barrier;
    long x[3] = {7, 8, 9}, y[9] = {1, 2, 3, 4, 5, 6}, word = sizeof(long);
    long(*rows)[one] = (long(*)[one])y;
    CHECK_EQ(7, first(x));
    CHECK_EQ(2 + 3 * word, second(1, (long(*)[3])y));
    CHECK_EQ(4 + 3 * word, third(rows));
    CHECK_EQ(4 + 3 * word, fourth(rows));
    CHECK_EQ(7, fifth(&one, x));
    CHECK_EQ(7, sixth(x));
    CHECK_EQ(3, seventh((long(*)[record.n])y));
    CHECK_EQ(7, eighth(first, x));
    CHECK_EQ(7, ninth(x));
    CHECK_EQ(4 + 3 * word + 2, tenth(2, rows));
    CHECK_EQ(7, eleventh(x));
    CHECK_EQ(6 * word + 1, cube(2, (void *)y));
    CHECK_EQ(3 * word, deep(&lead, rows));
    CHECK_EQ(1 + THREADS * word, threads(y, (void *)y));
    CHECK_EQ(4, alike(2, (long(*)[2])y));
    CHECK_EQ(14, declared(x));
    CHECK_EQ(10, prototype(x, (long(*)[2])y));
    long (*f)(long a[one]) = first;
    CHECK_EQ(7, f(x));
    typeof(long[one][2]) *pairs = (void *)y;
    CHECK_EQ(3, pairs[0][1][0]);
    CHECK_EQ(6 * word, (long)sizeof *pairs);
    CHECK_EQ(5, global);
    return 0;
}
