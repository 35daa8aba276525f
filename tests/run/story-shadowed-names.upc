/* Names that mean different things in different scopes: typedef names as variables, members, labels and parameters; tags, macros; objects
 * that hide shared ones and shared ones that hide private ones; names that C++ or a generated program might use. */
#include "check.h"

typedef int T;
typedef shared [2] int S;
typedef struct node node;
shared int x = 1;
shared [2] int arr[4 * THREADS];
struct T {
    T T;
    S *S;
};
struct node {
    shared node *node;
};
shared struct T tagged;

static int shadow(T T, S *S) {
    T = T + S[0];
    return T;
}
static int x_private(void) {
    int x = 7;
    x++;
    {
        static shared int x = 30;
        x++;
        {
            extern shared int x;
            return x + 100;
        }
    }
}
static int for_scope(void) {
    int r = 0;
    for (T T = 0; T < 3; T++) {
        S *S = &arr[T];
        r += S - arr;
    }
    return r;
}
static int labels(int n) {
T:
    if (n-- > 0) goto T;
    T y = n;
    goto S;
S:
    return y;
}
static int class(int new, int template) {
    int try = new, this = template, fathom = 1, tmp = 2, p = 3, addr = 4, phase = 5, thread = 6, i = 7, __x = 8;
    return try + this + fathom + tmp + p + addr + phase + thread + i + __x;
}
static int sizeof_typedef(void) {
    int S = sizeof(T);
    return S + (T)2.5 + (T)+1;
}
static int parenthesised(T (x)) { return (x); }
static T (returns)(T a) { T (b) = a, *(c) = &b; return *c; }

int main(void) {
    if (MYTHREAD == 0) {
        arr[0] = 5;
        tagged.T = 4;
        tagged.S = &arr[3];
    }
    upc_barrier;
    CHECK_EQ(7, shadow(2, arr));
    CHECK_EQ(101, x_private());
    CHECK_EQ(3, for_scope());
    CHECK_EQ(-1, labels(5));
    CHECK_EQ(36 + 3, class(1, 2));
    CHECK_EQ(7, sizeof_typedef());
    CHECK_EQ(9, parenthesised(9));
    CHECK_EQ(9, returns(9));
    CHECK_EQ(4, tagged.T);
    CHECK(tagged.S == &arr[3]);
    struct T local = {1, arr};
    CHECK_EQ(5, local.T + local.S[0] - 1);
    node *n = &(node){0};
    CHECK(n->node == 0);
    int arr = 3; /* the shared one is hidden from here on */
    arr++;
    CHECK_EQ(4, arr);
    {
        enum { x = 12 };
        CHECK_EQ(12, x);
    }
    CHECK_EQ(1, x);
    return 0;
}
