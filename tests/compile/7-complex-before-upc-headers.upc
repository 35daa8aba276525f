// Programs and system headers define one-letter macros (complex.h has I); the UPC headers do not stumble over them.
#include <complex.h>
#define C 3.0e8
#define D(x) (x)
#define F 96485
#define L 4
#define S "S"
#define U
#define T double
#define N 100
#define X 1
#define B 2
#include <upc.h>
#include <upc_collective.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include <upc_io.h>
#include <upc_castable.h>
shared [B] T a[B * THREADS];
int main(void) { return (int)creal(I * a[0]) + L; }
