shared const int limit = 3;
shared volatile int tick;
const shared int *p;
int f(shared const volatile int *q) { tick++; return limit + *p + *q; }
