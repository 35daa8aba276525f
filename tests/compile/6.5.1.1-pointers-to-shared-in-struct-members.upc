// Members may point to shared at any depth, and whole structures may be shared.
typedef shared [4] int S;
typedef S *P;
struct a {
    shared char *p1;
    shared [] int *shared *p2;
    shared int *arr[3];
    shared [3] int (*row)[3];
    shared int *(*fn)(shared int *, int *shared *);
    S *t;
    P u, v[2];
    const P *w;
    shared struct a *next;
    strict shared [2] struct b *other;
    union { shared void *g; long bits; };
    shared int *restrict r;
    shared [] double *flexible[];
};
struct b { shared struct a *owner; int plain; };
shared struct b one, list[THREADS];
struct a *local;
