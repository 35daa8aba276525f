/* Numbers that look random and are the same in every run: Marsaglia's xorshift64. */
#ifndef FATHOM_TEST_RANDOM_H
#define FATHOM_TEST_RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 88172645463325252ul

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state;
}

#endif
