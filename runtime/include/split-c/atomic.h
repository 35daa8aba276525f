/* <split-c/atomic.h>: operations on an int of any processor that nothing comes between. Each returns the former value. */
#ifndef SPLIT_C_ATOMIC_H
#define SPLIT_C_ATOMIC_H

#include <split-c/split-c.h>

int fetch_and_add(int *global p, int value) FATHOM_SPLIT(fetch_add);
int exchange(int *global p, int value) FATHOM_SPLIT(exchange);
/* Stores 1. */
int test_and_set(int *global p) FATHOM_SPLIT(test_and_set);
/* Stores `value` where *p equals `expected`. */
int cmp_and_swap(int *global p, int expected, int value) FATHOM_SPLIT(cmp_and_swap);

#endif
