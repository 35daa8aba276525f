/* _Generic tells pointers-to-shared from one another and from pointers-to-local: block size is part of the type
 * (6.5.1.1p13); the controlling expression's shared qualifier goes with lvalue conversion, and it is not evaluated. */
#include "check.h"

shared int cyc[4 * THREADS];
shared [3] int three[4 * THREADS];
shared [] int ind[4];
shared double d;
strict shared int st;
struct s {
    char c;
};
shared struct s rec;

#define KIND(p)                      \
    _Generic((p),                    \
        int *: "private",            \
        shared int *: "cyclic",      \
        shared [3] int *: "three",   \
        shared [] int *: "indefinite", \
        strict shared int *: "strict", \
        shared void *: "generic",    \
        shared double *: "double",   \
        int: "int",                  \
        double: "value",             \
        struct s: "record",          \
        default: "other")
#define IS(p, kind) CHECK(strcmp(KIND(p), kind) == 0)

static int calls;
static int index_of(int i) { return calls++, i; }

int main(void) {
    int i = 0;
    IS(&i, "private");
    IS(&cyc[1], "cyclic");
    IS(cyc, "cyclic");
    IS(cyc + 2, "cyclic");
    IS(&three[1], "three");
    IS(three, "three");
    IS(ind, "indefinite");
    IS(&st, "strict");
    IS((shared void *)cyc, "generic");
    IS(&d, "double");
    IS((shared [5] int *)three, "other");
    IS((int *)ind, "private");
    IS(cyc[0], "int");
    IS(three[0], "int");
    IS(st, "int");
    IS(d, "value");
    IS(d + 1, "value");
    IS(rec, "record");
    IS(rec.c, "other");
    IS(cyc[index_of(1)], "int");
    CHECK_EQ(0, calls);
    CHECK_EQ(5, _Generic(cyc[0], int: 5, long: 6));
    cyc[MYTHREAD] = _Generic(&three[0], shared [3] int *: 8, default: 9);
    CHECK_EQ(8, cyc[MYTHREAD]);
    CHECK_EQ(8, _Generic(1.0f, float: cyc[MYTHREAD], default: three[index_of(2)]));
    CHECK_EQ(0, calls);
    return 0;
}
