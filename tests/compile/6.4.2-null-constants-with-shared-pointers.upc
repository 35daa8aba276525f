// A null pointer constant, even one spelled as a void pointer, compares with and converts to every pointer-to-shared.
#include <stddef.h>
shared int *s = NULL;
shared [4] int *b = 0;
shared void *g = (void *)0;
shared [] char *arr[3] = {NULL, 0, (void *)0};
int f(shared const int *c, shared int *shared *pp) {
    int r = s == NULL || NULL != b || g == 0 || 0 == c || *pp == NULL || c != (void *)0 || !s || s == 0L || g == (1 - 1);
    s = NULL, b = 0, g = NULL, *pp = NULL;
    s = r ? s : NULL;
    b = r ? 0 : b;
    g = r ? NULL : g;
    if (s && !b) return 1;
    return f(NULL, 0);
}
