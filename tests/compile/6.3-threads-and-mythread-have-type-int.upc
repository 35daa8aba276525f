// THREADS and MYTHREAD have type int wherever an int value can stand.
_Static_assert(sizeof THREADS == sizeof(int), "int");
_Static_assert(_Generic(MYTHREAD, int: 1, default: 0), "int");
_Static_assert(_Generic(THREADS, int: 1, default: 0), "int");
int f(int n, double d[THREADS]) {
    int a[THREADS], k = MYTHREAD;
    a[MYTHREAD % THREADS] = -MYTHREAD;
    switch (MYTHREAD) {
    case 0: k += (THREADS); break;
    default: k = ~THREADS;
    }
    return MYTHREAD ? n : a[k % THREADS] + (int)d[MYTHREAD];
}
