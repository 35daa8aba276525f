// threads: 1
/* <upc.h> brings in what old programs take from it: size_t, malloc, exit, uint64_t, PRId64. */
#include <upc.h>

int main(void) {
    size_t n = 3;
    uint64_t big = UINT64_C(1) << 40;
    const char *format = "%" PRIu64;
    char *p = malloc(n);
    int ok = p != NULL && offsetof(div_t, quot) < sizeof(div_t) && big > n && format[0] == '%';
    free(p);
    return ok ? 0 : 1;
}
