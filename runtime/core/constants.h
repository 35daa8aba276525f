/* Sets what prelude.h declares constant. Here alone, because constants.c may not see those declarations. */
#ifndef CORE_CONSTANTS_H
#define CORE_CONSTANTS_H

/* Before main only: what generated code sees as constants. */
void core_set_constants(int mythread, int threads, unsigned long static_delta);
/* In core_spawn: which words are near, and what makes them addresses. */
void core_set_near(unsigned long base, unsigned long bytes, unsigned long bias);
/* Before core_spawn, and when somebody measures mechanisms: see lang/copy.h. */
void core_set_copies(unsigned long in_place_below, unsigned long long_from);

#endif
