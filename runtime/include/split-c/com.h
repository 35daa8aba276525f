/* <split-c/com.h>: collective operations on one value of each processor. Reductions give the same result in every run
 * with as many processors, also of floating-point values.
 */
#ifndef SPLIT_C_COM_H
#define SPLIT_C_COM_H

#include <split-c/split-c.h>

/* Processor 0's value. */
int all_bcast(int value) FATHOM_SPLIT(bcast_i);
int all_bcast_i(int value) FATHOM_SPLIT(bcast_i);
double all_bcast_d(double value) FATHOM_SPLIT(bcast_d);

/* The value in values[0] of each processor, in the order of the processors: in `values` of processor 0 (which has room for
 * PROCS values), or of all. A program's own definitions take the place of these. */
void all_gather(int *values) FATHOM_SPLIT(gather_i);
void all_gather_d(double *values) FATHOM_SPLIT(gather_d);
void all_concat(int *values) FATHOM_SPLIT(concat_i);
void all_concat_d(double *values) FATHOM_SPLIT(concat_d);

/* The combination of all values, on all processors; on processor 0 (0 elsewhere); of the processors up to the own one. */
int all_reduce_to_all_add(int value) FATHOM_SPLIT(all_add);
int all_reduce_to_all_mult(int value) FATHOM_SPLIT(all_mult);
int all_reduce_to_all_max(int value) FATHOM_SPLIT(all_max);
int all_reduce_to_all_min(int value) FATHOM_SPLIT(all_min);
int all_reduce_to_all_and(int value) FATHOM_SPLIT(all_and);
int all_reduce_to_all_or(int value) FATHOM_SPLIT(all_or);
int all_reduce_to_all_xor(int value) FATHOM_SPLIT(all_xor);
double all_reduce_to_all_dadd(double value) FATHOM_SPLIT(all_dadd);
double all_reduce_to_all_dmult(double value) FATHOM_SPLIT(all_dmult);
double all_reduce_to_all_dmax(double value) FATHOM_SPLIT(all_dmax);
double all_reduce_to_all_dmin(double value) FATHOM_SPLIT(all_dmin);

int all_reduce_to_one_add(int value) FATHOM_SPLIT(one_add);
int all_reduce_to_one_mult(int value) FATHOM_SPLIT(one_mult);
int all_reduce_to_one_max(int value) FATHOM_SPLIT(one_max);
int all_reduce_to_one_min(int value) FATHOM_SPLIT(one_min);
int all_reduce_to_one_and(int value) FATHOM_SPLIT(one_and);
int all_reduce_to_one_or(int value) FATHOM_SPLIT(one_or);
int all_reduce_to_one_xor(int value) FATHOM_SPLIT(one_xor);
double all_reduce_to_one_dadd(double value) FATHOM_SPLIT(one_dadd);
double all_reduce_to_one_dmult(double value) FATHOM_SPLIT(one_dmult);
double all_reduce_to_one_dmax(double value) FATHOM_SPLIT(one_dmax);
double all_reduce_to_one_dmin(double value) FATHOM_SPLIT(one_dmin);

int all_scan_add(int value) FATHOM_SPLIT(scan_add);
int all_scan_mult(int value) FATHOM_SPLIT(scan_mult);
int all_scan_max(int value) FATHOM_SPLIT(scan_max);
int all_scan_min(int value) FATHOM_SPLIT(scan_min);
int all_scan_and(int value) FATHOM_SPLIT(scan_and);
int all_scan_or(int value) FATHOM_SPLIT(scan_or);
int all_scan_xor(int value) FATHOM_SPLIT(scan_xor);
double all_scan_dadd(double value) FATHOM_SPLIT(scan_dadd);
double all_scan_dmult(double value) FATHOM_SPLIT(scan_dmult);
double all_scan_dmax(double value) FATHOM_SPLIT(scan_dmax);
double all_scan_dmin(double value) FATHOM_SPLIT(scan_dmin);

#endif
