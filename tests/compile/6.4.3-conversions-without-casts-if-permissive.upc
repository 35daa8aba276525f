// flags: -fpermissive
// -fpermissive makes warnings of missing casts between pointers, and of nothing else.
shared int *s, a[THREADS];
shared [4] int *four, b[4 * THREADS];
int *p, x;
void take(shared [] int *);
shared int *give(void) { return four; } // warning: 6.5.1.1 p13
void f(void) {
    s = b; // warning: 6.5.1.1 p13
    take(s); // warning: 6.5.1.1 p13
    p = s; // warning: 6.4.3 p4
    p = &a[1]; // warning: 6.4.3 p4
    s = p; // error: 6.4.3 p1
    s = 1; // error: 6.4.3 p1
    x = s; // error: 6.4.3 p1
    x = s < four; // error: 6.5.1.1 p13
    x = s == p; // error: 6.4.2 p1
}
