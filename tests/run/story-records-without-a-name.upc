/* A shared record has members of types without a name; copies of these through pointers declare temporaries. */
#include "check.h"
#include <upc.h>

struct outer {
    char c;
    struct {
        long double q;
    } in;
    union {
        int i;
        float f;
    } u;
    struct {
        short k;
    } arr[3];
    enum { FIRST, SECOND = 7 } kind;
};
shared struct outer objects[THREADS];

int main(void) {
    shared struct outer *to = &objects[(MYTHREAD + 1) % THREADS], *mine = &objects[MYTHREAD];
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    struct outer m;
    m.in.q = MYTHREAD + 0.25L;
    m.u.f = MYTHREAD + 0.5f;
    m.arr[2].k = (short)MYTHREAD;
    m.kind = SECOND;
    to->in = m.in;
    to->u = m.u;
    to->arr[1] = m.arr[2];
    to->kind = m.kind;
    upc_barrier;
    m.in = mine->in;
    m.u = mine->u;
    m.arr[0] = mine->arr[1];
    m.kind = mine->kind;
    CHECK(m.in.q == left + 0.25L);
    CHECK(m.u.f == left + 0.5f);
    CHECK_EQ(left, m.arr[0].k);
    CHECK_EQ(SECOND, m.kind);
    return 0;
}
