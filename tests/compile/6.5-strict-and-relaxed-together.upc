// One declaration cannot be both strict and relaxed, whether it says so itself or through typedefs.
shared strict relaxed int a; // error: 6.5 p2
relaxed shared strict int b; // error: 6.5 p2
strict relaxed shared int *p; // error: 6.5 p2
typedef strict shared int S;
typedef relaxed shared int R;
relaxed S c; // error: 6.5 p2
strict R d; // error: 6.5 p2
relaxed shared S *q; // error: 6.5 p2
struct m { shared strict relaxed int *p; }; // error: 6.5 p2
void f(strict shared relaxed int *param); // error: 6.5 p2
typedef relaxed R RR;
static S fine;
RR fine_too;
