/* Sets the objects that prelude.h declares constant. They have a header of their own because constants.c must not see
 * those declarations. */
#ifndef CORE_CONSTANTS_H
#define CORE_CONSTANTS_H

/* No address space has as many bytes: a size that is not less is a mistake, mostly a negative number. */
#define CORE_NO_SIZE (1ul << 48)

/* Called before main only: sets the constants that generated code uses. */
void core_set_constants(int mythread, int threads, unsigned long static_delta);
/* Called in core_spawn: which words are near, and the constants that turn them into addresses. */
void core_set_near(unsigned long base, unsigned long bytes, unsigned long bias);
/* Called before core_spawn, and when mechanisms are measured: see lang/copy.h. */
void core_set_copies(unsigned long in_place_below, unsigned long long_from);

#endif
