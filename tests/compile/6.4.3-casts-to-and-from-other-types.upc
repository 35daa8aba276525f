// A pointer-to-shared converts by cast to pointers and integers only.
shared int *s;
struct s { int x; } rec;
double d;
void f(void) {
    d = (double)s; // error: 6.4.3 p1
    s = (shared int *)d; // error: 6.4.3 p1
    s = (shared int *)rec; // error: 6.4.3 p1
    s = (shared int *)1.0; // error: 6.4.3 p1
    (void)s;
    d = (long)s;
}
