// flags: -funsigned-char
// conduits: smp
// Plain char is as the C compiler's options have it, also in sizes that the front end computes.
#include <upc.h>
#include "check.h"

shared [] char a['\377' > 0 ? 300 : 100];
struct s { char c; } private_one;
enum { N = (char)200 };

int main(void) {
    CHECK(upc_localsizeof(a) == 300);
    CHECK(N == 200);
    private_one.c = 200;
    CHECK(private_one.c == N);
    return 0;
}
