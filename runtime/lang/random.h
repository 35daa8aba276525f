/* Numbers that look random and follow from a seed, the same in every run: SplitMix64 (Steele, Lea and Flood, 2014). */
#pragma once
#include <stdint.h>

static inline uint64_t fathom_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* 0 ... n - 1. */
static inline uint64_t fathom_random_below(uint64_t *state, uint64_t n) {
    return (uint64_t)((unsigned __int128)fathom_random(state) * n >> 64);
}
