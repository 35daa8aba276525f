// Statement expressions, typeof, omitted middle operands, ranges, labels as values, inline assembly, built-ins.
#include <stddef.h>
#include <string.h>
#include <stdio.h>
#include <limits.h>
#include <errno.h>
#include <assert.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
shared int s, arr[8 * THREADS];
struct t { int a, b[4]; };
int f(int x, char *str) {
    int m = MAX(x, 3) + ({ int y = s; y; }) + ({ __auto_type z = arr[1]; z; });
    __typeof__(s + 1) priv = s;
    typeof(int *[3]) list = {&m, &x, &priv};
    __auto_type automatic = x + 1.5;
    int k = x ?: 7, l = s ?: 3;
    void *targets[] = {&&one, &&two};
    goto *targets[x & 1];
one:
    switch (x) {
    case 0 ... 9: m++; break;
    case 'a' ... 'z': m--;
    }
two:
    __asm__ volatile("" : "+r"(m) : "r"(k), [named] "g"(l) : "memory", "cc");
    asm("nop");
    __asm__ goto("" : : : : one);
    int z[10] = {[0 ... 4] = 1, [9] = 2};
    m += __builtin_offsetof(struct t, b[2]) + __builtin_types_compatible_p(int, typeof(m)) + __builtin_constant_p(3);
    m += __builtin_choose_expr(1, 2, "three") + __builtin_expect(x, 0) + __builtin_popcount(x) + __alignof__(double);
    m += offsetof(struct t, a) + sizeof(void) + __alignof__(m) + (__extension__ 3) + __builtin_strlen(str);
    m += __real__(1.0 + 2.0i) + sizeof(struct {}) + (_Bool)str + __func__[0] + *__FUNCTION__ + __PRETTY_FUNCTION__[0];
    assert(x > 0 && strlen(str) < INT_MAX && errno == 0);
    void *p = str;
    p++, p += 2;
    return (int)automatic + m + *list[0] + z[3] + ((char *)p - str);
}
