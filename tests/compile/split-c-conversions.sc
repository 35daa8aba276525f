/* docs/split-c.md, pointers: no kind of pointer becomes another by itself, but a spread one becomes a global one. */
int x, *local;
int *global g;
int *spread s;
int counts[PROCS]::;
double *global d;

int f(int *p) { return *p; }

int splitc_main() {
    int i;
    g = &x;                                     // error: Split-C
    local = g;                                  // error: Split-C
    s = g;                                      // error: Split-C
    g = 17;                                     // error: Split-C
    i = g;                                      // error: Split-C
    d = g;                                      // error: Split-C
    f(g);                                       // error: Split-C
    f(&counts[0]);                              // error: Split-C
    i = g < s;                                  // error: Split-C
    g = s;
    g = &counts[1];
    g = 0;
    i = !g || g == s;
    local = (int *)g;
    s = (int *spread)g;
    return i;
}
