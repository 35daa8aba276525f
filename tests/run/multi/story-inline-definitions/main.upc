// threads: 1 3
// flags: -O0 -Wall -Wextra -Werror
/* An inline definition without an external one serves its own file, optimised or not; an external one stays what it is. */
#include "../../check.h"
#include "inline.h"

inline int own(int x) { return x + 100; }
inline int counted(void) {
    static shared int n[THREADS];
    return ++n[MYTHREAD];
}
static inline int private_to_file(int x) { return own(x) + 1; }
int plain_prototype(int x);
inline int plain_prototype(int x) { return x + 6; }
inline int unused(int x) { return x; }
static int before_its_definition(void) {
    int declared_in_a_block(int);
    extern shared [2] int *shared_in_a_block(int);
    return declared_in_a_block(1) + *shared_in_a_block(0);
}
inline int declared_in_a_block(int x) { return x + 7; }
inline shared [2] int *shared_in_a_block(int i) { return a + i; }

int main(void) {
    int get(shared [2] int *);
    int (*pointer)(int) = own;
    if (MYTHREAD == 0) a[0] = 10, a[1] = 20;
    upc_barrier;
    CHECK_EQ(10, get(at(0)));
    CHECK_EQ(MYTHREAD, here());
    CHECK_EQ(2, forced(1));
    CHECK_EQ(3, trailing(1));
    CHECK_EQ(7, earlier(7));
    CHECK_EQ(1ll << 40, wide(1));
    CHECK_EQ(5, swapped((struct pair){4, 5}).x);
    CHECK_EQ(101, pointer(1));
    CHECK_EQ(102, private_to_file(1));
    CHECK_EQ(7, plain_prototype(1));
    CHECK_EQ(1, counted());
    CHECK_EQ(2, counted());
    CHECK_EQ(20 + 200 + 1 + 3 + 5, other_file());
    CHECK_EQ(4, address_in_other_file()(1));
    CHECK_EQ(18, before_its_definition());
    CHECK_EQ(8, external(1) + external_too(0));
    return 0;
}
