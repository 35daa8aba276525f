/* The Livermore loops on shared arrays: what shared.upc and forall.upc share.
 *
 * Each block of the arrays in FORALL_ARRAYS is on one thread, so that upc_forall shares the loops of a kernel out: blocks
 * of 64 elements of the vectors, rows of the matrices. There are THREADS times as many elements as the kernels use,
 * because an array whose size is not known before the program runs is a multiple of THREADS.
 */
#ifndef SHARED_H
#define SHARED_H

#include <upc_relaxed.h>

#include "lfk.h"

/* Block, name, dimensions. */
/* clang-format off */
#define FORALL_ARRAYS(X)                                                                                               \
    X(64, x, [2048 * THREADS]) X(64, y, [2048 * THREADS]) X(64, z, [2048 * THREADS]) X(64, u, [2048 * THREADS])        \
    X(64, v, [2048 * THREADS]) X(64, w, [2048 * THREADS])                                                              \
    X(5, u1, [2 * THREADS][102][5]) X(5, u2, [2 * THREADS][102][5]) X(5, u3, [2 * THREADS][102][5])                    \
    X(1, du1, [102 * THREADS]) X(1, du2, [102 * THREADS]) X(1, du3, [102 * THREADS])                                   \
    X(25, px, [101 * THREADS][25]) X(25, cx, [101 * THREADS][25]) X(25, vy21, [25 * THREADS][25])                      \
    X(101, vy, [7 * THREADS][101]) X(101, vh, [7 * THREADS][101]) X(101, vf, [7 * THREADS][101])                       \
    X(101, vg, [7 * THREADS][101]) X(101, vs, [7 * THREADS][101])                                                      \
    X(103, za, [8 * THREADS][103]) X(103, zb, [8 * THREADS][103]) X(103, zm, [8 * THREADS][103])                       \
    X(103, zp, [8 * THREADS][103]) X(103, zq, [8 * THREADS][103]) X(103, zr, [8 * THREADS][103])                       \
    X(103, zu, [8 * THREADS][103]) X(103, zv, [8 * THREADS][103]) X(103, zz, [8 * THREADS][103])
#define FORALL_EXTERN(block, name, dimensions) extern shared [block] double forall_##name dimensions;
FORALL_ARRAYS(FORALL_EXTERN)

/* The kernels whose loops, or all but the outermost ones, are independent. */
#define FORALL_KERNELS(X) X(1) X(7) X(8) X(9) X(10) X(12) X(15) X(18) X(21) X(22)
/* clang-format on */
#define FORALL(n) void forall_##n(void)
#define FORALL_DECLARATION(n) FORALL(n);
FORALL_KERNELS(FORALL_DECLARATION)

#endif
