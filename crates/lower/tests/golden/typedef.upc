typedef shared [2] int pair;
typedef pair *to_pair;
typedef shared struct { int a, b; } *record;
int get(to_pair p, record r, int i) { pair *q = p + i; return *q + r->a + r[1].b; }
