/* docs/split-c.md, pointers: no kind of pointer becomes another by itself, but a spread one becomes a global one. */
int x, *local;
int *global g;
int *spread s;
int counts[PROCS]::;
double *global d;

int f(int *p) { return *p; }

int splitc_main() {
    int i;
    g = &x;                                     // error: Split-C, conversions
    local = g;                                  // error: Split-C, conversions
    s = g;                                      // error: Split-C, conversions
    g = 17;                                     // error: Split-C, conversions
    i = g;                                      // error: Split-C, conversions
    d = g;                                      // error: Split-C, conversions
    f(g);                                       // error: Split-C, conversions
    f(&counts[0]);                              // error: Split-C, conversions
    i = g < s;                                  // error: Split-C, conversions
    i = g == &x;                                // error: Split-C, conversions
    i = local - g;                              // error: Split-C, conversions
    g = s;
    g = &counts[1];
    g = 0;
    i = !g || g == s;
    local = (int *)g;
    s = (int *spread)g;
    return i;
}
