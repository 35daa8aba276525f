/* Sets what prelude.h declares constant. Here alone, because constants.c may not see those declarations. */
#ifndef CORE_CONSTANTS_H
#define CORE_CONSTANTS_H

/* Before main only: what generated code sees as constants. */
void core_set_constants(int mythread, int threads, unsigned long static_delta);
/* After core_spawn: which addresses are near. */
void core_set_near(unsigned long base, unsigned long bytes);

#endif
