/* docs/split-c.md: assignments need a global side; spread arrays have a size that is known, and no initializer. */
int a[PROCS]:: = {1};                           // error: Split-C, spread arrays
extern int n;
int b[n]::;                                     // error: Split-C, spread arrays
int *global *spread table[PROCS]::;
int global wrong;                               // error: Split-C, pointers
int *global spread both;                        // error: Split-C, pointers
int (*global function)(int);                    // error: Split-C, pointers

splitc_main(argc, argv)
    int argc;
    char **argv;
{
    int x = 0, y = 0;
    int c[argc]::[2 * argc], *spread p = &b[0]; // error: Split-C, conversions
    x := y;                                     // error: Split-C, assignments
    x :- y;                                     // error: Split-C, assignments
    x :- c[0][0];                               // error: Split-C, assignments
    x := c[0][1];
    c[0][1] := x;
    c[0][1] :- x;
    x = x ? y :-1;
    if (x) return;
}
