/* Every layout over one element type T (a macro): cyclic, explicit 1, 2, 3, 7, a block larger than the array's share,
 * [*], [] and [0]; lengths that end inside a block, at its end, and (static THREADS) that THREADS does not divide.
 * Included after defining T; defines main. Sizes are chosen so that the last thread may hold less, or nothing.
 */
#include "check.h"
#include "layout.h"

#define NAME cyclic
#define LAYOUT
#define B 1
#define N (5 * THREADS)
#include "layout-one.h"

#define NAME block1
#define LAYOUT [1]
#define B 1
#define N (4 * THREADS)
#include "layout-one.h"

#define NAME block2
#define LAYOUT [2]
#define B 2
#define N (7 * THREADS)
#include "layout-one.h"

#define NAME block3
#define LAYOUT [3]
#define B 3
#define N (10 * THREADS)
#include "layout-one.h"

#define NAME block7
#define LAYOUT [7]
#define B 7
#define N (21 * THREADS)
#include "layout-one.h"

#define NAME block7_ragged
#define LAYOUT [7]
#define B 7
#define N (17 * THREADS)
#include "layout-one.h"

#define NAME block_large
#define LAYOUT [1000]
#define B 1000
#define N (3 * THREADS)
#include "layout-one.h"

#define NAME star
#define LAYOUT [*]
#define B 6
#define N (6 * THREADS)
#include "layout-one.h"

#define NAME indefinite
#define LAYOUT []
#define B 0
#define N 11
#include "layout-one.h"

#define NAME indefinite0
#define LAYOUT [0]
#define B 0
#define N 13
#include "layout-one.h"

#ifdef __UPC_STATIC_THREADS__
#define NAME cyclic_any
#define LAYOUT
#define B 1
#define N 11
#include "layout-one.h"

#define NAME block3_any
#define LAYOUT [3]
#define B 3
#define N 10
#include "layout-one.h"

#define NAME star_any
#define LAYOUT [*]
#define B ((13 + THREADS - 1) / THREADS)
#define N 13
#include "layout-one.h"

#define NAME one
#define LAYOUT [4]
#define B 4
#define N 1
#include "layout-one.h"
#endif

int main(void) {
    cyclic_check();
    block1_check();
    block2_check();
    block3_check();
    block7_check();
    block7_ragged_check();
    block_large_check();
    star_check();
    indefinite_check();
    indefinite0_check();
#ifdef __UPC_STATIC_THREADS__
    cyclic_any_check();
    block3_any_check();
    star_any_check();
    one_check();
#endif
    return 0;
}
