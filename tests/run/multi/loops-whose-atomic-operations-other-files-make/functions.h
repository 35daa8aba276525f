/* Each is one atomic operation. */
long next(shared long *p, long i);
long add_at(shared long *p, long i, long x);
long add_by_int(shared long *p, int i, long x);
long add_by_byte(shared long *p, unsigned char i, long x);
long add(shared long *p, long x);
long three(shared long *p);
long swap_in_fives(shared [5] long *p, long i, long x);
unsigned flip(shared unsigned *p, unsigned x);
double add_double(shared double *p, long i, double x);

/* They look so, and do more or something else. */
long counts(shared long *p, long i);
long add_twice(shared long *p, long i);
long add_beside(shared long *p, long i, long x);
long reads(shared long *p, long i);
long in_domain(shared long *p, long i);
double truncated(shared double *p, double x);

void make_domains(void);
void use_domain(int which);
extern long calls;
