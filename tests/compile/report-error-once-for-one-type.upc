// A faulty type is reported where it is written, not again at each use of the object or the typedef.
struct s {
    shared int x; // error: 6.5.1.1 p5
};
struct s a, *b;
typedef shared [*] int T[4 * THREADS]; // error: 6.5.1.1 p7
T c;
void f(void) {
    shared int y; // error: 6.5.2 p8
    y = 3;
    y++;
    a.x = b->x + y;
    c[1] = y;
}
