// dynamic-only
// In the dynamic environment THREADS is not a constant expression; where plain C needs one, the C compiler says so.
#if !defined __UPC_DYNAMIC_THREADS__ || defined __UPC_STATIC_THREADS__
#error wrong environment macros
#endif
#ifdef THREADS
#error THREADS is a macro in the static environment only
#endif
enum { N = THREADS }; // error: 6.3.1 p1
_Static_assert(THREADS > 0, "not constant"); // error: 6.3.1 p1
struct s { unsigned bits : THREADS; }; // error: 6.3.1 p1
int f(int x) {
    switch (x) {
    case THREADS: return 1; // error: 6.3.1 p1
    }
    return 0;
}
