/* A parameter list of nothing but a library's type is no list of names, as it would be in C before C23. */
#include <upc.h>

void finish(upc_handle_t); // warning: 7.1 p1
int earlier(upc_tick_t, long); // warning: 7.1 p1
int old_style(upc_t, other) int upc_t, other; { return upc_t + other; }

long use(upc_handle_t h, upc_tick_t t) {
    finish(h);
    return earlier(t, 1) + sizeof(upc_handle_t) + old_style(1, 2);
}
