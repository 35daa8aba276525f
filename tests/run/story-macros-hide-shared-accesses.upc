// threads: 1 2 4
/* Shared accesses put together by the preprocessor: macros for the qualifiers, object-like and function-like, nested, pasted, stringised, variadic,
 * X-macros, macros named as functions, expansions over several lines, accesses in arguments used twice. */
#include "check.h"

#define SH shared
#define BLOCKED(n) shared [n]
#define DEFINE(type, name, n) shared [n] type name[4 * (n) * THREADS]
#define AT(arr, i) arr[(i)]
#define ME MYTHREAD
#define NEXT ((MYTHREAD + 1) % THREADS)
#define INC(x) ((x)++, (x))
#define SQUARE(x) ((x) * (x))
#define FIELD(s, f) ((s).f)
#define PASTE(a, b) a##b
#define ALL(i, n, body) for (int i = 0; i < (n); i++) { body }
#define PAR(i, n, aff, ...) upc_forall (int i = 0; i < (n); i++; aff) { __VA_ARGS__ }
#define SYNC upc_barrier
#define EACH(X) X(red, 3) X(green, 4) X(blue, 5)
#define DECLARE(name, value) shared int name;
#define ASSIGN(name, value) name = value;
#define TEST(name, value) CHECK_EQ(value, name); CHECK(strcmp(#name, PASTE(text_, name)) == 0);
#define TEXT(name, value) static const char *const PASTE(text_, name) = #name;
#define EMPTY
#define fetch(p) (*(p))
#define store(p, v) fetch(p) = (v)

DEFINE(int, a, 2);
DEFINE(double, b, 5);
SH int PASTE(long_, name)[THREADS];
BLOCKED(3) struct {
    int f;
} s[3 * THREADS];
EACH(DECLARE)
EACH(TEXT)

int main(void) {
    if (!ME) { EACH(ASSIGN) }
    AT(a, 2 * ME) = 7 EMPTY;
    AT(b, 5 * NEXT) = AT(a, 2 * ME) / 2.0;
    PASTE(long_, name)[ME] = 1;
    FIELD(s[3 * ME], f) = INC(a[2 * ME]);
    SYNC;
    EACH(TEST)
    CHECK_EQ(8, a[2 * NEXT]);
    CHECK(b[5 * ME] == 3.5);
    CHECK_EQ(8, FIELD(s[3 * NEXT], f));
    CHECK_EQ(64, SQUARE(FIELD(s[3 * NEXT], f)));
    SYNC;
    PAR(i, 8 * THREADS, &a[i], a[i] = i; if (i > 3) { a[i]++; })
    SYNC;
    ALL(i, 8 * THREADS, CHECK_EQ(i > 3 ? i + 1 : i, AT(a, i));)
    SYNC;
    store(&a[2 * ME], fetch(&a[2 * ME]) + 100);
    SYNC;
    CHECK_EQ(100 + (2 * NEXT > 3 ? 2 * NEXT + 1 : 2 * NEXT), a[2 * NEXT]);
    (void)long_name;
    return 0;
}
