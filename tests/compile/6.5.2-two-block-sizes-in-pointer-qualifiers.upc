// The qualifier list after a star gives at most one block size, directly or through typedefs.
int *shared [2] shared [3] p[6 * THREADS]; // error: 6.5.2 p6
int *shared [2] const shared [4] q[4 * THREADS]; // error: 6.5.2 p6
shared [2] int *shared [3] fine[3 * THREADS];
void f(int *shared [2] shared [3] *param); // error: 6.5.2 p6
struct m { int *shared [5] shared [6] *p; }; // error: 6.5.2 p6
