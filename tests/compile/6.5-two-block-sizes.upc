// One declaration cannot give two block sizes, whether it says so itself or through typedefs.
shared [2] shared [3] int a[6 * THREADS]; // error: 6.5 p3
shared [2] int shared [3] *p; // error: 6.5 p3
shared [] shared [4] int *q; // error: 6.5 p3
typedef shared [2] int two;
typedef shared [] int indefinite;
typedef two twice;
shared [3] two b[6 * THREADS]; // error: 6.5 p3
shared [] two *r; // error: 6.5 p3
shared [4] indefinite *s; // error: 6.5 p3
twice shared [5] c[10 * THREADS]; // error: 6.5 p3
struct m { shared [3] two *p; }; // error: 6.5 p3
void f(shared [7] twice *param); // error: 6.5 p3
twice fine[4 * THREADS];
const two also_fine = 3;
