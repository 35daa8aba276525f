/* Pointer arithmetic in every layout over one element type T. Included after defining T; defines main. */
#include "check.h"
#include "layout.h"

#define NAME cyclic
#define LAYOUT
#define B 1
#define N (4 * THREADS)
#include "arith-one.h"

#define NAME block2
#define LAYOUT [2]
#define B 2
#define N (5 * THREADS)
#include "arith-one.h"

#define NAME block3
#define LAYOUT [3]
#define B 3
#define N (7 * THREADS)
#include "arith-one.h"

#define NAME block7
#define LAYOUT [7]
#define B 7
#define N (14 * THREADS)
#include "arith-one.h"

#define NAME block_large
#define LAYOUT [500]
#define B 500
#define N (3 * THREADS)
#include "arith-one.h"

#define NAME indefinite
#define LAYOUT []
#define B 0
#define N 9
#include "arith-one.h"

int main(void) {
    cyclic_check();
    block2_check();
    block3_check();
    block7_check();
    block_large_check();
    indefinite_check();
    return 0;
}
