/* What generated code calls to give shared arrays their first values, before `main` (UPC 1.3, 6.5.2.1 p4). */
#include "gas.h"
#include "lang/prelude.h"

static int is_zero(const char *p, unsigned long bytes) {
    while (bytes && !*p) p++, bytes--;
    return bytes == 0;
}

void fathom_init_array(fathom_ptr start, const void *from, unsigned long rows, unsigned long given, unsigned long width,
                       unsigned long block, unsigned long size, const char *name) {
    unsigned long threads = (unsigned long)gas_count();
    for (unsigned long row = 0; row < rows; row++) {
        const char *values = (const char *)from + row * given * size;
        unsigned long n = given < width ? given : width;
        if (!is_zero(values + n * size, (given - n) * size))
            gas_fatal("the initialiser of `%s` has more elements than the array has on %d threads", name, gas_count());
        for (unsigned long column = 0; column < n; column++) {
            unsigned long i = row * width + column, b = block ? i / block : 0, t = b % threads;
            if ((long)t != gas_me()) continue;
            unsigned long elem = block ? b / threads * block + i % block : i;
            fathom_memput(start + (t << FATHOM_SEG_BITS) + elem * size, values + column * size, size);
        }
    }
}
