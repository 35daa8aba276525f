// The address of a shared array is a pointer-to-shared whose referenced type is that array's.
shared [4] int a[4 * THREADS][3];
shared [] double d[5];
typedef shared [2] int T[2 * THREADS];
T t;
shared [4] int (*row)[3] = 0;
void f(int i) {
    row = &a[i];
    row = a;
    shared [] double (*whole)[5] = &d;
    shared [4] int *element = &a[i][1];
    element = a[i];
    T *pt = &t;
    shared void *g = &a;
    row = &*row;
    (void)whole, (void)element, (void)pt, (void)g;
}
