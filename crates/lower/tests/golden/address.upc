shared [4] int a[16 * THREADS];
struct s { int i; double d[2]; };
shared struct s s[THREADS];
shared [4] int *whole(void) { return a; }
shared [4] int *element(int i) { return &a[i]; }
shared [] double *member(int t) { return &s[t].d[1]; }
shared [4] int *same(int i) { return &*&a[i]; }
