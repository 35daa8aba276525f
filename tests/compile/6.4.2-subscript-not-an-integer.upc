// A subscript of a shared array or pointer is an integer.
shared int a[THREADS], *p;
int *q;
int x;
void f(void) {
    x = a[1.5]; // error: 6.4.2 p3
    x = p[q]; // error: 6.4.2 p3
    x = a[p]; // error: 6.4.2 p3
    x = a['\1'] + 0[a] + p[1ull] + a[p[0]];
}
