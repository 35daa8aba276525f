/* As parameters and results; pointers to such functions. */
shared int *identity(shared int *p) { return p; }
shared [5] double *at(shared [5] double *p, int i) { return p + i; }
shared int *(*f)(shared int *) = identity;
int call(shared int *p) { return *f(p) + *identity(p + 1); }
