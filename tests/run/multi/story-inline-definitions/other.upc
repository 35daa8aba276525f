#include "inline.h"

extern inline int external(int x);
int external_too(int x);

/* Another function than the one in main.upc. */
inline int own(int x) { return x + 200; }

int other_file(void) {
    return get(at(1)) + own(0) + forced(0) + external(0) + inline_beside_it(0);
}

int (*address_in_other_file(void))(int) {
    return external;
}
