// Shared objects may be declared in blocks as static or extern, and automatic pointers may point to shared at any depth.
int f(void) {
    static shared int a;
    shared static int b[THREADS];
    extern shared int c;
    static shared [] double d[3];
    static int *shared e;
    static shared int *shared [2] g[2 * THREADS];
    static const shared int k = 3;
    shared int *p = &a, *q[3] = {b, 0, &c};
    shared int *shared *pp = 0;
    shared [2] int (*row)[2] = 0;
    {
        static strict shared int a;
        a = 1;
    }
    for (shared int *i = b; i != b + THREADS; i++) *i = 0;
    int *e0 = e;
    return a + k + (int)d[1] + *q[0] + (p == 0) + (pp == 0) + (row == 0) + (e0 == 0);
}
