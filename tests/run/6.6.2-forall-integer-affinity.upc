// threads: 1 2 3 4 7 8
/* 6.6.2p7: with integer affinity an iteration belongs to thread affinity mod THREADS: many heads, many expressions. */
#include "forall.h"

#define T THREADS

static int ident(int i) { return i; }

int main(void) {
    int i, n = 57;
    long l;
    unsigned u;
    short s;
    unsigned char c;

    FORALL_TEST(i = 0, i < n, i++, i, i, i % T);
    FORALL_TEST(i = 0, i < n, ++i, i, i, i % T);
    FORALL_TEST(i = 0, i <= n, i++, i, i, i % T);
    FORALL_TEST(i = 3, i < n, i++, i, i, i % T);
    FORALL_TEST(i = 0, i < n, i += 2, i, i, i % T);
    FORALL_TEST(i = 1, i < n, i += 3, i, i, i % T);
    FORALL_TEST(i = 5, i <= n, i += 7, i, i, i % T);
    FORALL_TEST(i = 0, i < n, i = i + 4, i, i, i % T);
    FORALL_TEST(i = 0, i < n, i = 1 + i, i, i, i % T);
    FORALL_TEST(i = 0, i != n, i++, i, i, i % T);
    FORALL_TEST(i = 0, n > i, i++, i, i, i % T);
    FORALL_TEST(i = 0, n >= i, i++, i, i, i % T);
    FORALL_TEST(i = n - 1, i >= 0, i--, i, i, i % T);
    FORALL_TEST(i = n, i > 0, --i, i, i, i % T);
    FORALL_TEST(i = n, i > 0, i -= 3, i, i, i % T);
    FORALL_TEST(i = n, i != 0, i--, i, i, i % T);
    FORALL_TEST(i = n - 1, i >= 0, i -= T, i, i, i % T);
    FORALL_TEST(i = MYTHREAD * 0, i < n, i += T, i, i, i % T);
    FORALL_TEST(i = 0, i < n * T, i++, i, i, i % T);
    FORALL_TEST(i = 0, i < 0, i++, i, i, i % T);
    FORALL_TEST(i = 5, i < 5, i++, i, i, i % T);
    FORALL_TEST(i = 9, i < 5, i++, i, i, i % T);
    FORALL_TEST(i = 4, i < 5, i++, i, i, i % T);
    FORALL_TEST(i = 1, i < n * n, i *= 2, i, i, i % T);
    FORALL_TEST(i = 0, i * i < n, i++, i, i, i % T);

    FORALL_TEST(i = 0, i < n, i++, i + 3, i, (i + 3) % T);
    FORALL_TEST(i = 0, i < n, i++, 3 + i, i, (i + 3) % T);
    FORALL_TEST(i = 0, i < n, i++, i * 2, i, i * 2 % T);
    FORALL_TEST(i = 0, i < n, i++, 2 * i + 1, i, (2 * i + 1) % T);
    FORALL_TEST(i = 1, i < n, i++, i - 1, i, (i - 1) % T);
    FORALL_TEST(i = 0, i < n, i++, n - i, i, (n - i) % T);
    FORALL_TEST(i = 0, i < n, i++, i / 3, i, i / 3 % T);
    FORALL_TEST(i = 0, i < n, i++, i % 5, i, i % 5 % T);
    FORALL_TEST(i = 0, i < n, i++, i >> 2, i, (i >> 2) % T);
    FORALL_TEST(i = 0, i < n, i++, i ^ 5, i, (i ^ 5) % T);
    FORALL_TEST(i = 0, i < n, i++, 0, i, 0);
    FORALL_TEST(i = 0, i < n, i++, T - 1, i, T - 1);
    FORALL_TEST(i = 0, i < n, i++, T, i, 0);
    FORALL_TEST(i = 0, i < n, i++, 12345, i, 12345 % T);
    FORALL_TEST(i = 0, i < n, i++, ident(i), i, i % T);
    FORALL_TEST(i = 0, i < n, i++, i < 20, i, (i < 20) % T);
    FORALL_TEST(i = 0, i < n, i++, (i < 20 ? i : 0), i, (i < 20 ? i : 0) % T);
    FORALL_TEST(i = 0, i < n, i++, (char)i, i, i % T);
    FORALL_TEST(i = 0, i < n, i++, (long)i, i, i % T);
    FORALL_TEST(i = 0, i < n, i++, (unsigned)i, i, i % T);
    FORALL_TEST(i = -9, i < n, i++, i + 9, i, (i + 9) % T);
    FORALL_TEST(i = 0, i > -n, i--, -i, i, -i % T);

    FORALL_TEST(l = 0, l < n, l++, l, l, l % T);
    FORALL_TEST(l = 0, l < n, l += 5, l + 1, l, (l + 1) % T);
    FORALL_TEST(l = 5000000000l, l < 5000000000l + n, l++, l, l, l % T);
    FORALL_TEST(u = 0, u < (unsigned)n, u++, u, u, (int)(u % T));
    FORALL_TEST(u = n, u > 0, u--, u, u, (int)(u % T));
    FORALL_TEST(u = n, u-- > 0, (void)0, u, u, (int)(u % T));
    FORALL_TEST(u = 4294967200u, u < 4294967290u, u++, u, u, (int)(u % T));
    FORALL_TEST(u = 4294967290u, u > 90, u++, u, u, (int)(u % T));
    FORALL_TEST(size_t z = 0, z < 33, z++, z, z, (int)(z % T));
    FORALL_TEST(unsigned long z = 40, z >= 3, z -= 3, z, z, (int)(z % T));
    FORALL_TEST(s = 0, s < n, s++, s, s, s % T);
    FORALL_TEST(c = 200, c > 100, c++, c, c, c % T);
    FORALL_TEST(int k = 0, k < n, k++, k, k, k % T);
    FORALL_TEST((i = 0, l = 100), i < n, (i++, l--), l, i, (int)(l % T));
    return 0;
}
