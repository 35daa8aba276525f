/* <split-c/control.h>: loops over the own part of a spread array. Barriers, sync and on_one are in <split-c/split-c.h>. */
#ifndef SPLIT_C_CONTROL_H
#define SPLIT_C_CONTROL_H

#include <split-c/split-c.h>

/* All i of 0 .. n-1 for which a[i] is here, of `T a[n]::`. */
#define for_my_1d(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)
/* All (i, j) for which a[i][j] is here, of `T a[n][m]::`. */
#define for_my_2d(i, j, n, m)                                                                                          \
    for ((i) = 0; (i) < (n); (i)++)                                                                                    \
        for ((j) = fathom_split_first_column((i), (m)); (j) < (m); (j) += PROCS)
#define for_my_1D for_my_1d
#define for_my_2D for_my_2d

/* The first j of row i of `T a[][m]::` that is here. */
static __inline__ __attribute__((unused)) long fathom_split_first_column(long i, long m) {
    return (long)(((unsigned long)MYPROC + (unsigned long)PROCS - (unsigned long)(i * m) % (unsigned long)PROCS) %
                  (unsigned long)PROCS);
}

#endif
