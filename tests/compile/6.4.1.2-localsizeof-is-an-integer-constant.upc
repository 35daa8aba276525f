// upc_localsizeof yields an integer constant of type size_t in both environments and does not evaluate its operand.
#include <stddef.h>
typedef shared [4] double row[8];
shared [4] int a[4 * THREADS];
shared [] double d[10];
shared [*] char c[7 * THREADS];
row rows[THREADS];
shared struct pair { int x, y; } s;
shared [3] int *p;
char buffer[upc_localsizeof(a) + 1];
enum { A = upc_localsizeof(a), D = upc_localsizeof d, P = upc_localsizeof(*p), R = upc_localsizeof(rows), S = upc_localsizeof(s) };
_Static_assert(_Generic(upc_localsizeof(a), size_t: 1, default: 0), "size_t");
_Static_assert(upc_localsizeof(c) > 0, "constant");
int f(int k) {
    static size_t once = upc_localsizeof(a[k++]);
    switch (k) {
    case upc_localsizeof(shared [2] long): return (int)once;
    }
    return upc_localsizeof(p[k++]) + upc_localsizeof rows[0] + upc_localsizeof s.x;
}
_Static_assert(upc_localsizeof(a) >= 4 * sizeof(int), "one block a thread");
_Static_assert(upc_localsizeof(d) >= 10 * sizeof(double), "all of it on one thread");
_Static_assert(upc_localsizeof(c) >= 7, "seven a thread");
_Static_assert(upc_localsizeof(s) >= sizeof(struct pair), "scalars live on thread 0");
