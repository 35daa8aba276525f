// upc_elemsizeof yields an integer constant of type size_t in both environments and does not evaluate its operand.
#include <stddef.h>
typedef shared [4] double row[8];
shared [4] int a[4 * THREADS];
shared [] double d[10];
shared [*] char c[7 * THREADS];
row rows[THREADS];
shared struct pair { int x, y; } s;
shared [3] int *p;
char buffer[upc_elemsizeof(a) + 1];
enum { A = upc_elemsizeof(a), D = upc_elemsizeof d, P = upc_elemsizeof(*p), R = upc_elemsizeof(rows), S = upc_elemsizeof(s) };
_Static_assert(_Generic(upc_elemsizeof(a), size_t: 1, default: 0), "size_t");
_Static_assert(upc_elemsizeof(c) > 0, "constant");
int f(int k) {
    static size_t once = upc_elemsizeof(a[k++]);
    switch (k) {
    case upc_elemsizeof(shared [2] long): return (int)once;
    }
    return upc_elemsizeof(p[k++]) + upc_elemsizeof rows[0] + upc_elemsizeof s.x;
}
_Static_assert(upc_elemsizeof(a) == sizeof(int) && upc_elemsizeof(d) == sizeof(double), "arrays");
_Static_assert(upc_elemsizeof(rows) == sizeof(double) && upc_elemsizeof(rows[0]) == sizeof(double), "ultimate element");
_Static_assert(upc_elemsizeof(row) == sizeof(double), "through a typedef");
_Static_assert(upc_elemsizeof(s) == sizeof(s), "not an array");
