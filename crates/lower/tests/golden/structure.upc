/* Members, nested ones, copies of the whole. */
struct inner { int a[3]; double d; };
struct outer { char c; struct inner i; struct inner *local; };
shared struct outer s[THREADS];
double member(int t) { return s[t].i.d + s[t].i.a[1] + s[t].c; }
void copy(int t, int u) { s[t] = s[u]; s[t].i = s[u].i; }
struct outer whole(int t) { return s[t]; }
void set(int t, struct outer *o) { s[t] = *o; *o = s[t]; s[t].local = &o->i; }
