// A function type cannot be shared, and _Atomic does not combine with shared.
typedef int fn(int);
shared fn a; // error: 6.5.1.1 p5
shared _Atomic int b; // error: 6.5.1 p2
shared _Atomic(int) c; // error: 6.5.1 p2
_Atomic shared int *d; // error: 6.5.1 p2
shared fn *e; // error: 6.5.1.1 p5
_Atomic int fine;
