// threads: 1 2 4
/* 6.4.3p1, p5: null pointer constants convert to null pointers-to-shared, which are all equal, false, on thread 0 with
 * phase 0 (7.2.3); a null pointer-to-shared becomes a null pointer-to-local. */
#include "check.h"

shared int *global_null;
shared [5] long *global_null5 = 0;
shared int *shared shared_null;
shared [4] int *shared shared_null4[THREADS];
shared void *generic_null = NULL;
struct links {
    shared [] char *a;
    shared [3] int *b;
    shared void *c;
} zeroed;
shared int object;

static int is_null(shared [2] int *p) { return p ? 0 : 1; }
static shared [3] char *give_null(void) { return 0; }

int main(void) {
    CHECK(global_null == NULL);
    CHECK(!global_null);
    CHECK(global_null5 == 0);
    CHECK(NULL == shared_null);
    CHECK(!shared_null4[MYTHREAD]);
    CHECK(generic_null == (void *)0);
    CHECK(!zeroed.a && !zeroed.b && !zeroed.c);
    CHECK(is_null(0) && is_null(NULL) && is_null((shared [2] int *)0) && is_null((shared void *)0));
    CHECK(!give_null());
    CHECK((shared int *)0 == global_null);
    CHECK((shared void *)global_null5 == generic_null);
    CHECK((shared void *)(shared int *)0 == (shared void *)(shared [5] long *)0);
    CHECK(global_null != &object);
    CHECK(&object != 0);
    CHECK(&object ? 1 : 0);
    CHECK_EQ(0, upc_threadof(global_null));
    CHECK_EQ(0, upc_phaseof(global_null5));
    CHECK_EQ(0, upc_threadof(NULL));
    CHECK_EQ(0, upc_phaseof(NULL));
    int *local = (int *)global_null;
    CHECK(local == NULL);
    CHECK((long *)global_null5 == NULL);
    CHECK((void *)generic_null == NULL);
    CHECK((char *)zeroed.a == NULL);
    shared int *p = &object;
    int taken = 0;
    if (p) taken++;
    if (!p) taken += 10;
    while (p) {
        taken += 100;
        p = 0;
    }
    do {
        taken += 1000;
    } while (p);
    for (p = &object; p; p = NULL) taken += 10000;
    CHECK_EQ(11101, taken);
    CHECK((p || !p) && !(p && 1));
    CHECK_EQ(1, !p);
    CHECK_EQ(0, !!p);
    p = taken ? &object : NULL;
    CHECK(p == &object);
    p = taken ? 0 : &object;
    CHECK(p == 0);
    _Bool b = &object != NULL;
    CHECK(b);
    b = (_Bool)(shared [5] long *)0;
    CHECK(!b);
    CHECK(memcmp(&global_null, &(shared int *){0}, sizeof global_null) == 0);
    return 0;
}
