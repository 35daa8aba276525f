// threads: 1 2 3 4
/* 6.5.1.1p9-10: strict- and relaxed-qualified objects and pointers can be read and written in every way; a pointer may
 * qualify an object otherwise than its declaration; both classes see the same bytes. Orders are the litmus tests' subject. */
#include "check.h"

strict shared int s;
relaxed shared int r;
shared strict int s2;
shared [3] relaxed double rd[6 * THREADS];
strict shared [2] long sl[4 * THREADS];
strict shared struct {
    int a;
    char text[12];
    unsigned bits : 5;
} record[THREADS];
typedef strict shared int flag_t;
flag_t flags[THREADS];
strict shared int *strict shared chain;
shared int *strict shared ps;

static int read_strict(strict shared int *p) { return *p; }
static int read_relaxed(relaxed shared int *p) { return *p; }
static int read_plain(shared int *p) { return *p; }

int main(void) {
    int n = (MYTHREAD + 1) % THREADS;
    if (MYTHREAD == THREADS - 1) {
        s = 1;
        r = 2;
        s2 = s + r;
    }
    flags[n] = MYTHREAD;
    rd[3 * n + 1] = MYTHREAD + 0.5;
    sl[2 * n] = -MYTHREAD;
    sl[2 * n + 1] = sl[2 * n] * 2;
    record[n].a = MYTHREAD;
    record[n].text[3] = 'x';
    record[n].bits = 17;
    upc_barrier;
    int m = (MYTHREAD + THREADS - 1) % THREADS;
    CHECK_EQ(3, s2);
    CHECK_EQ(m, flags[MYTHREAD]);
    CHECK(rd[3 * MYTHREAD + 1] == m + 0.5);
    CHECK_EQ(-m, sl[2 * MYTHREAD]);
    CHECK_EQ(-2 * m, sl[2 * MYTHREAD + 1]);
    CHECK_EQ(m, record[MYTHREAD].a);
    CHECK_EQ('x', record[MYTHREAD].text[3]);
    CHECK_EQ(17, record[MYTHREAD].bits);
    CHECK_EQ(1, read_strict(&s));
    CHECK_EQ(1, read_relaxed((relaxed shared int *)&s));
    CHECK_EQ(1, read_plain((shared int *)&s));
    CHECK_EQ(2, read_strict((strict shared int *)&r));
    CHECK_EQ(m, read_strict(&flags[MYTHREAD]));
    upc_barrier;
    if (MYTHREAD == 0) {
        chain = &s;
        *chain += 10;
        ps = (shared int *)&s;
        ++*ps;
        (*(strict shared int *)ps)++;
    }
    upc_barrier;
    CHECK_EQ(13, s);
    CHECK(chain == &s);
    CHECK((strict shared int *)ps == chain);
    upc_barrier;
    struct {
        int a;
        char text[12];
        unsigned bits : 5;
    } copy;
    memcpy(&copy, (void *)&record[MYTHREAD], sizeof copy);
    CHECK_EQ(17, copy.bits);
    return 0;
}
