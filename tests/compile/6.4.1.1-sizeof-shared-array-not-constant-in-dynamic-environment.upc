// dynamic-only
// The size of a definitely blocked shared array depends on THREADS, so in the dynamic environment it is no constant.
shared int a[THREADS];
shared [4] int b[8 * THREADS];
shared [*] int c[2 * THREADS];
char buffer[sizeof a]; // error: 6.4.1.1 p1
enum { N = sizeof b }; // error: 6.4.1.1 p1
_Static_assert(sizeof(c) > 4, "not constant"); // error: 6.4.1.1 p1
_Static_assert(sizeof(shared int [THREADS]) > 0, "not constant"); // error: 6.4.1.1 p1
