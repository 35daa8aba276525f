// Shared to shared, shared to local, shared to integer, and any null pointer constant to shared are all fine.
#include <stddef.h>
#include <stdint.h>
shared int *s, a[THREADS];
shared [4] int *b;
shared [] char *i;
shared void *g;
shared int **ps;
shared int *shared *sps;
shared [4] int *shared [2] *deep;
int *p, zero;
typedef shared [8] double *D;
typedef shared void *shared *VV;
enum { NOTHING };
long f(void) {
    s = (shared int *)0, s = (shared int *)NULL, g = (shared void *)(1 - 1), b = (shared [4] int *)(void *)0;
    D d = (D)0;
    s = (shared int *)NOTHING;
    s = (shared int *)b, b = (shared [4] int *)g, i = (shared [] char *)&a[1], d = (D)s, g = (shared void *)ps[0];
    p = (int *)s, p = (int *)a, p = (int *)&a[MYTHREAD], p = (int *)g;
    const char *c = (const char *)i;
    *(int *)b = 1;
    ps = (shared int **)ps, ps = (shared int **)&s, s = *(shared int *shared *)sps;
    g = *(VV)deep;
    return (long)s + (intptr_t)g + (uintptr_t)&a[2] + (_Bool)b + *c + (char)zero + (int)a[0] + (long)(s != 0);
}
