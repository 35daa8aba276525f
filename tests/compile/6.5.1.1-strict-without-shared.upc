// strict and relaxed qualify shared types only; the star starts a new qualifier list.
strict int a; // error: 6.5.1.1 p4
relaxed int b; // error: 6.5.1.1 p4
strict int *p; // error: 6.5.1.1 p4
shared int *strict q; // error: 6.5.1.1 p4
shared int *relaxed r[3]; // error: 6.5.1.1 p4
int *const strict s = 0; // error: 6.5.1.1 p4
const relaxed char *t; // error: 6.5.1.1 p4
typedef int I;
strict I u; // error: 6.5.1.1 p4
typedef shared int *P;
strict P v; // error: 6.5.1.1 p4
struct m { strict int *p; }; // error: 6.5.1.1 p4
void f(strict int *param); // error: 6.5.1.1 p4
strict int g(void); // error: 6.5.1.1 p4
unsigned long h(void) { return sizeof(relaxed int *); } // error: 6.5.1.1 p4
