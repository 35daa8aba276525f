// Qualifiers may come in any order, around the type or through typedefs, as long as they agree.
strict shared int a;
shared relaxed int b;
int strict shared c;
const shared [4] volatile strict long int d[4 * THREADS];
static unsigned shared [] char e[10];
typedef shared int S;
strict S f;
const S g = 1;
typedef strict shared [2] double SD;
SD h[2 * THREADS];
const SD *p;
shared [2] int *shared [3] pa[3 * THREADS];
shared [2] int *strict shared [] *pb;
relaxed shared int *strict shared pc;
extern shared int a1, *p1, x1[THREADS];
