union value { int i; float f; char c[8]; };
shared union value v[THREADS];
float get(int t) { v[t].i = 1; return v[t].f + v[t].c[3]; }
