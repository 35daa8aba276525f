// threads: 1 2 3 4 7 8
/* 6.6.2p6: with pointer-to-shared affinity an iteration belongs to the thread of the object: every layout, every way of
 * writing the address, for ranges that start and end inside blocks. */
#include "forall.h"

#define T THREADS
#define N (40 * THREADS)
shared int c[N];
shared [3] double b[N];
shared [7] char b7[N];
shared [*] int s[N];
shared [1000] short big[N];
shared [] int ind[50];
shared [4] int m[10 * THREADS][6];
shared [5] struct cell {
    int v[2];
    char flag;
} cells[N];
shared int one;

int main(void) {
    int i;
    long n = N;
    shared [3] double *p = b;
    shared int *q = &c[2];
    shared void *v;

    FORALL_TEST(i = 0, i < n, i++, &c[i], i, i % T);
    FORALL_TEST(i = 0, i < n, i++, &b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n, i++, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = 0, i < n, i++, &s[i], i, owner_of(i, 40, T));
    FORALL_TEST(i = 0, i < n, i++, &big[i], i, owner_of(i, 1000, T));
    FORALL_TEST(i = 0, i < 50, i++, &ind[i], i, 0);
    FORALL_TEST(i = 0, i < n, i++, &cells[i], i, owner_of(i, 5, T));
    FORALL_TEST(i = 0, i < n, i++, &cells[i].v[1], i, owner_of(i, 5, T));
    FORALL_TEST(i = 0, i < n, i++, &cells[i].flag, i, owner_of(i, 5, T));
    FORALL_TEST(i = 0, i < 10, i++, &one, i, 0);
    FORALL_TEST(i = 0, i < n, i++, c + i, i, i % T);
    FORALL_TEST(i = 0, i < n, i++, b + i, i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n, i++, p + i, i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n, i++, &p[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n - 2, i++, &q[i], i, (i + 2) % T);
    FORALL_TEST(i = 0, i < n, i++, &i[b], i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n, i++, (shared void *)&b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 0, i < n, i++, (v = &b7[i]), i, owner_of(i, 7, T));

    FORALL_TEST(i = 1, i < n - 1, i++, &c[i], i, i % T);
    FORALL_TEST(i = 1, i < n - 1, i++, &b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 2, i <= n - 5, i++, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = 13, i < n - 11, i++, &s[i], i, owner_of(i, 40, T));
    FORALL_TEST(i = 39, i < 41, i++, &s[i % n], i, owner_of(i % n, 40, T));
    FORALL_TEST(i = 0, i < n - 1, i++, &b[i + 1], i, owner_of(i + 1, 3, T));
    FORALL_TEST(i = 2, i < n, i++, &b[i - 2], i, owner_of(i - 2, 3, T));
    FORALL_TEST(i = -5, i < n - 5, i++, &b7[i + 5], i, owner_of(i + 5, 7, T));
    FORALL_TEST(i = 0, i < n / 2, i++, &b[2 * i], i, owner_of(2 * i, 3, T));
    FORALL_TEST(i = 0, i < n / 3, i++, &b[i * 3 + 1], i, owner_of(i * 3 + 1, 3, T));
    FORALL_TEST(i = 0, i < n, i++, &b7[n - 1 - i], i, owner_of(n - 1 - i, 7, T));
    FORALL_TEST(i = 0, i < n, i++, &b[i / 2], i, owner_of(i / 2, 3, T));
    FORALL_TEST(i = 0, i < n, i++, &b[i % 9], i, owner_of(i % 9, 3, T));
    FORALL_TEST(i = 0, i < n, i++, &b[0], i, 0);
    FORALL_TEST(i = 0, i < 20, i++, &b[n - 1], i, owner_of(n - 1, 3, T));

    FORALL_TEST(i = 0, i < n, i += 2, &b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 1, i < n, i += 3, &b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = 4, i < n, i += 5, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = 0, i < n, i += 7, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = 3, i < n, i += 8, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = 0, i < n, i += 100, &s[i], i, owner_of(i, 40, T));
    FORALL_TEST(i = 0, i < n, i += 3, &c[i], i, i % T);
    FORALL_TEST(i = n - 1, i >= 0, i--, &c[i], i, i % T);
    FORALL_TEST(i = n - 1, i >= 0, i--, &b[i], i, owner_of(i, 3, T));
    FORALL_TEST(i = n - 2, i > 0, i -= 4, &b7[i], i, owner_of(i, 7, T));
    FORALL_TEST(i = n - 1, i >= 0, --i, &s[i], i, owner_of(i, 40, T));

    FORALL_TEST(long l = 0, l < n, l++, &b[l], l, owner_of(l, 3, T));
    FORALL_TEST(unsigned u = 0, u < (unsigned)n, u++, &b7[u], u, owner_of(u, 7, T));
    FORALL_TEST(size_t z = 1, z <= (size_t)n - 1, z++, &s[z], z, owner_of(z, 40, T));
    FORALL_TEST(short h = 0, h < n, h++, &b[h], h, owner_of(h, 3, T));

    for (int r = 0; r < 10 * T; r++) {
        FORALL_TEST(i = 0, i < 6, i++, &m[r][i], i, owner_of(r * 6 + i, 4, T));
        FORALL_TEST(i = 1, i < 5, i++, m[r] + i, i, owner_of(r * 6 + i, 4, T));
    }
    FORALL_TEST(i = 0, i < 10 * T, i++, &m[i][0], i, owner_of(i * 6, 4, T));
    FORALL_TEST(i = 0, i < 10 * T, i++, &m[i][5], i, owner_of(i * 6 + 5, 4, T));
    FORALL_TEST(i = 0, i < 10 * T, i++, &m[i], i, owner_of(i * 6, 4, T));
    FORALL_TEST(i = 0, i < 10 * T, i++, m[i], i, owner_of(i * 6, 4, T));
    FORALL_TEST(i = 0, i < 6, i++, &m[i][i], i, owner_of(i * 7, 4, T));

    /* A pointer as the loop's variable. */
    FORALL_TEST(shared int *w = c, w < c + n, w++, w, w - c, (w - c) % T);
    FORALL_TEST(shared [3] double *w = b, w < b + n, w++, w, w - b, owner_of(w - b, 3, T));
    FORALL_TEST(shared [7] char *w = b7 + 3, w != b7 + n, w++, w, w - b7, owner_of(w - b7, 7, T));
    FORALL_TEST(shared [3] double *w = b + n - 1, w > b, w -= 1, w, w - b, owner_of(w - b, 3, T));
    /* Null: upc_threadof is 0. */
    FORALL_TEST(i = 0, i < 3, i++, (shared int *)0, i, 0);
    return 0;
}
