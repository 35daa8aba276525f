// GNU C's cast of a value to a union takes no pointer-to-shared; a compound literal does.
shared int a[THREADS];
union value {
    long l;
    shared int *p;
};
void take(union value);
void f(void) {
    take((union value)&a[1]); // error: 6.4.3 p1
    take((union value){.p = &a[1]});
    take((union value)7l);
}
