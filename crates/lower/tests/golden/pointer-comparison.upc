shared int *a, *b;
shared void *v;
shared [] char *c;
int compare(void) { return (a == b) + (a < b) + (a != 0) + !a + (v == a) + (c >= (shared [] char *)v); }
int test(void) { if (a) return 1; while (b && !v) return 2; return a ? 3 : 4; }
