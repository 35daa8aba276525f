/* Numbers that look random and are the same in every run: Knuth's generator of MMIX, without its lower bits, which repeat soon. */
#ifndef RANDOM_H
#define RANDOM_H

static __attribute__((unused)) unsigned long next_random(unsigned long *state) {
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}

#endif
