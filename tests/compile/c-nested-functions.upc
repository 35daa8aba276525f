// Nested functions, which gcc has and clang has not: using their frame and shared objects, defined and declared first.
#include <stdlib.h>
shared int total[THREADS];
#ifndef __clang__
int f(int n) {
    auto int later(int);
    int add(int x) {
        total[MYTHREAD] += x;
        return n + x;
    }
    int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    int later(int x) { return add(x) + THREADS; }
    int list[3] = {3, 2, 1};
    qsort(list, 3, sizeof *list, compare);
    int (*p)(int) = add;
    return p(list[0]) + later(n);
}
#endif
