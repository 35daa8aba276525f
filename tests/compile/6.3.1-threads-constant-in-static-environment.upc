// flags: -T 4
// In the static environment THREADS is an integer constant, also for #if.
#if THREADS != 4
#error THREADS is not 4
#endif
#if !defined __UPC_STATIC_THREADS__ || defined __UPC_DYNAMIC_THREADS__
#error wrong environment macros
#endif
_Static_assert(THREADS == 4, "constant");
int table[THREADS] = {1, 2, 3, 4};
enum { LAST = THREADS - 1 };
struct s { int per_thread[THREADS]; unsigned bits : THREADS; };
shared [THREADS] int blocked[THREADS * THREADS];
int f(int x) {
    static int n = THREADS;
    switch (x) {
    case THREADS: return n;
    case LAST: return 0;
    }
    return table[1];
}
