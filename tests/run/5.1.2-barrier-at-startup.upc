// threads: 1 2 4 8
/* 5.1.2p3: the implicit barrier at start-up: when main begins on any thread, the initialisers of all shared objects
 * have taken effect, on whatever thread they live. */
#include "check.h"

shared int first = 11;
shared double ratio = 2.5;
struct pair {
    int a;
    long b;
};
shared struct pair both = {3, -4};
shared int *shared head = &first;

int main(void) {
    CHECK_EQ(11, first);
    CHECK(ratio == 2.5);
    CHECK_EQ(3, both.a);
    CHECK_EQ(-4, both.b);
    CHECK(head == &first);
    CHECK_EQ(11, *head);
    return 0;
}
