// flags: -T 3
// With a static number of threads the size of a shared array is an integer constant.
shared int a[THREADS];
shared [4] int b[8 * THREADS];
char buffer[sizeof a];
enum { N = sizeof b };
_Static_assert(sizeof(shared int [THREADS]) == 3 * sizeof(int) && N == 24 * sizeof(int), "constant");
