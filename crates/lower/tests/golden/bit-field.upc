struct flags { unsigned a : 3, b : 7; int : 0; signed c : 5; };
shared struct flags f[THREADS];
int get(int t) { return f[t].a + f[t].c; }
int set(int t, int v) { f[t].b = v; f[t].c += 2; return f[t].a++; }
