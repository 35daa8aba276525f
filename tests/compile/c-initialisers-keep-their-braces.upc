// The C compiler sees the braces that the user wrote: no more are missing, and `{0}` is the zero of every aggregate.
// flags: -Wmissing-braces
#include <upc.h>

struct bag {
    shared [4] int *items[4];
    shared void *any;
};

struct bag zero = {0};
struct bag full = {{0, 0, 0}, 0};
shared [4] int *table[2][2] = {{0, 0}, {0}};

struct bag make(shared [4] int *p) {
    struct bag made = {0}, more = {.items = {p, 0}, .any = 0};
    made.any = more.items[1];
    return made;
}
