// upc_blocksizeof yields an integer constant of type size_t in both environments and does not evaluate its operand.
#include <stddef.h>
typedef shared [4] double row[8];
shared [4] int a[4 * THREADS];
shared [] double d[10];
shared [*] char c[7 * THREADS];
row rows[THREADS];
shared struct pair { int x, y; } s;
shared [3] int *p;
char buffer[upc_blocksizeof(a) + 1];
enum { A = upc_blocksizeof(a), D = upc_blocksizeof d, P = upc_blocksizeof(*p), R = upc_blocksizeof(rows), S = upc_blocksizeof(s) };
_Static_assert(_Generic(upc_blocksizeof(a), size_t: 1, default: 0), "size_t");
_Static_assert(upc_blocksizeof(c) > 0, "constant");
int f(int k) {
    static size_t once = upc_blocksizeof(a[k++]);
    switch (k) {
    case upc_blocksizeof(shared [2] long): return (int)once;
    }
    return upc_blocksizeof(p[k++]) + upc_blocksizeof rows[0] + upc_blocksizeof s.x;
}
_Static_assert(upc_blocksizeof(a) == 4 && upc_blocksizeof(a[1]) == 4, "[4]");
_Static_assert(upc_blocksizeof(d) == 0 && upc_blocksizeof(shared [] int) == 0 && upc_blocksizeof(shared [0] int) == 0, "[]");
_Static_assert(upc_blocksizeof(c) == 7, "[*] is resolved");
_Static_assert(upc_blocksizeof(rows) == 4 && upc_blocksizeof(rows[0]) == 4 && upc_blocksizeof(rows[0][1]) == 4, "of the element");
_Static_assert(upc_blocksizeof(s) == 1 && upc_blocksizeof(shared int) == 1, "default");
_Static_assert(upc_blocksizeof(s.x) == 0, "a member has indefinite block size (6.4.4 p1)");
