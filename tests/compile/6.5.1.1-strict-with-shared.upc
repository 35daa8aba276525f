// A reference qualifier stands beside shared in the same list, at any depth of pointers.
strict shared int a;
shared relaxed int *p;
int *shared strict q;
shared int *shared relaxed *r;
typedef shared int S;
typedef S *SP;
strict S b;
relaxed S *t;
SP strict shared u;
struct m { shared strict int *p; relaxed shared char *(*f)(strict shared int *); };
void f(strict shared int *param, relaxed shared [] double x[10]);
strict shared int *g(void);
unsigned long h(void) { return sizeof(relaxed shared int *) + sizeof(strict shared int); }
