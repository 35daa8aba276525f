// sizeof takes every complete shared operand; of elements and indefinitely blocked arrays it is a constant everywhere.
shared [4] int a[8 * THREADS];
shared [] double d[10];
shared struct { char c; int i; } s;
shared [5] int (*rows)[5];
char one[sizeof a[0]], all[sizeof d], st[sizeof s], p[sizeof(shared void *)], r[sizeof *rows];
_Static_assert(sizeof(shared int) == sizeof(int) && sizeof(s.i) == sizeof(int), "shared does not change a size");
_Static_assert(sizeof d == 10 * sizeof(double), "indefinite: as in C");
unsigned long f(int n) {
    char vla[sizeof a];
    unsigned long total = sizeof(a) + sizeof a / sizeof a[0] + sizeof vla;
    return total + sizeof(shared int [THREADS]) + sizeof(shared [2] int [THREADS][3]) + sizeof(a[n++]);
}
