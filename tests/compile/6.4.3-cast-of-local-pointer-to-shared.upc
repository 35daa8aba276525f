// A pointer-to-local, or an integer that is not a null pointer constant, cannot be cast to a pointer-to-shared.
int *p, a[4], **pp;
void *v;
long n;
int fn(void);
shared int *s;
strict shared int *st;
shared const void *gc;
shared void *g;
shared int **ps;
typedef shared [4] int *block_pointer;
void f(int *param, const char *str) {
    s = (shared int *)p; // error: 6.4.3 p1
    s = (shared int *)a; // error: 6.4.3 p1
    g = (shared void *)v; // error: 6.4.3 p1
    g = (shared void *)"text"; // error: 6.4.3 p1
    s = (shared int *)param; // error: 6.4.3 p1
    s = (shared int *)&n; // error: 6.4.3 p1
    g = (block_pointer)p; // error: 6.4.3 p1
    ps = (shared int **)pp; // error: 6.4.3 p1
    s = (shared int *)n; // error: 6.4.3 p1
    s = (shared int *)16; // error: 6.4.3 p1
    s = (shared int *)(long)s; // error: 6.4.3 p1
    s = (shared int *)(int *)s; // error: 6.4.3 p1
    s = (shared int *)(int *)0; // error: 6.4.3 p1
    st = (strict shared int *)p; // error: 6.4.3 p1
    g = (shared void *)fn; // error: 6.4.3 p1
    gc = (shared const void *)str; // error: 6.4.3 p1
}
