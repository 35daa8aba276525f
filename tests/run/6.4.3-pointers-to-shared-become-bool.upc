// A pointer-to-shared of either representation becomes _Bool wherever C converts: arguments and results too.
#include <stdbool.h>
#include "check.h"
shared [4] int blocked[4 * THREADS], *in_fours;
shared int cyclic[THREADS], *in_ones;
shared void *any;
static bool fours(shared [4] int *p) { return p; }
static bool ones(shared int *p) { return p; }
static bool generic(shared void *p) { return p; }
static int given(bool b) { return b; }

int main(void) {
    bool none = in_fours, some;
    some = &blocked[1];
    CHECK(!none && some);
    CHECK(!fours(in_fours) && fours(blocked) && fours(&blocked[3]));
    CHECK(!ones(in_ones) && ones(cyclic) && !generic(any) && generic(&blocked[2]));
    CHECK(given(in_fours) == 0 && given(&blocked[2]) == 1 && given(in_ones) == 0 && given(cyclic) == 1 && given(any) == 0);
    in_fours = &blocked[0], in_ones = cyclic, any = in_fours;
    CHECK(given(in_fours) && given(in_ones) && given(any) && (bool)in_fours && (bool)any);
    return 0;
}
