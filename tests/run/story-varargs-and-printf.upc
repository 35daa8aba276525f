// threads: 1 2 4
/* Shared objects as variadic arguments are loaded and promoted as C says; pointers-to-shared travel whole, phase included; printf writes
 * the values. */
#include <stdarg.h>
#include "check.h"

shared char c = 'x';
shared short s = -5;
shared float f = 1.5f;
shared double d = 2.25;
shared long l = 1L << 40;
shared unsigned char uc = 200;
shared [4] int a[8 * THREADS];
shared struct pair {
    int a, b;
} pr = {6, 7};

static int check_all(const char *kinds, ...) {
    va_list ap, again;
    va_start(ap, kinds);
    va_copy(again, ap);
    int n = 0;
    for (; *kinds; kinds++, n++) switch (*kinds) {
        case 'c': CHECK_EQ('x', va_arg(ap, int)); break;
        case 's': CHECK_EQ(-5, va_arg(ap, int)); break;
        case 'f': CHECK(va_arg(ap, double) == 1.5); break;
        case 'd': CHECK(va_arg(ap, double) == 2.25); break;
        case 'l': CHECK_EQ(1L << 40, va_arg(ap, long)); break;
        case 'u': CHECK_EQ(200, va_arg(ap, int)); break;
        case 'p': {
            shared [4] int *p = va_arg(ap, shared [4] int *);
            CHECK_EQ(3, upc_phaseof(p));
            CHECK(p == &a[7]);
            break;
        }
        case 'v': CHECK_EQ(2, upc_phaseof(va_arg(ap, shared void *))); break;
        case 'r': {
            struct pair r = va_arg(ap, struct pair);
            CHECK(r.a == 6 && r.b == 7);
            break;
        }
        }
    CHECK_EQ('x', va_arg(again, int));
    va_end(again);
    va_end(ap);
    return n;
}

int main(void) {
    char text[200];
    CHECK_EQ(13, check_all("csfdluprvpscu", c, s, f, d, l, uc, &a[7], pr, (shared void *)&a[6], &a[7], s, c, uc));
    int n = snprintf(text, sizeof text, "%c %d %.2f %.2f %ld %u %d", c, s, f, d, l, uc, a[3]);
    CHECK(strcmp(text, "x -5 1.50 2.25 1099511627776 200 0") == 0);
    CHECK_EQ(strlen(text), n);
    CHECK_EQ(MYTHREAD, (sprintf(text, "%d", MYTHREAD), atoi(text)));
    CHECK(fprintf(stdout, "%s", "") == 0);
    return 0;
}
