/* Objects of a type without a name, by every operation: a member's structure or union, one of an array, an enumeration. */
#include "check-split-c.h"
#include <string.h>

struct outer {
    char c;
    struct {
        long double q;
        short s;
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
struct outer here, from;
struct {
    int a[3];
} lone, copy;

int splitc_main(void) {
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    struct outer *global to = toglobal(right, &here), mine;
    memset(&mine, 0, sizeof mine);
    mine.in.q = MYPROC + 0.25L;
    mine.u.f = MYPROC + 0.5f;
    mine.arr[2].k = MYPROC;
    mine.kind = SECOND;
    to->in := mine.in;
    to->u := mine.u;
    to->arr[1] :- mine.arr[2];
    to->kind := mine.kind;
    lone.a[2] = MYPROC;
    all_store_sync();
    CHECK(here.in.q == left + 0.25L);
    CHECK(here.u.f == left + 0.5f);
    CHECK_EQ(left, here.arr[1].k);
    CHECK_EQ(SECOND, here.kind);

    from.in := to->in;
    from.arr[0] := to->arr[1];
    from.kind = to->kind;
    sync();
    from.u = to->u;
    copy = *toglobal(right, &lone);
    CHECK(from.in.q == MYPROC + 0.25L);
    CHECK(from.u.f == MYPROC + 0.5f);
    CHECK_EQ(MYPROC, from.arr[0].k);
    CHECK_EQ(SECOND, from.kind);
    CHECK_EQ(right, copy.a[2]);
    barrier();
    to->in = from.in;
    barrier();
    CHECK(here.in.q == left + 0.25L);
    return 0;
}
