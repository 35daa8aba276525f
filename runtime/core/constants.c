/* The objects that prelude.h declares constant. They are written once, before main. So this file, which defines them,
 * does not include the prelude: here they are variables, and the compiler must not rely on their initial values. */
#include "core/constants.h"

int fathom_mythread;
int fathom_threads = 1;
unsigned long fathom_threads_magic[2];
unsigned long fathom_static_delta;
int fathom_forall_depth;
unsigned long fathom_near_base;
unsigned long fathom_near_bytes;
unsigned long fathom_near_bias;
unsigned long fathom_split_data, fathom_split_data_bytes, fathom_split_data_offset, fathom_split_here;
unsigned long fathom_split_stored;
unsigned long fathom_copy_in_place_below;
unsigned long fathom_copy_long_from = CORE_NO_SIZE;

void core_set_constants(int mythread, int threads, unsigned long static_delta) {
    fathom_mythread = mythread;
    fathom_threads = threads;
    /* floor(2^127 / threads) + 1 */
    unsigned __int128 magic = ((unsigned __int128)1 << 127) / (unsigned)threads + 1;
    fathom_threads_magic[0] = (unsigned long)(magic >> 64);
    fathom_threads_magic[1] = (unsigned long)magic;
    fathom_static_delta = static_delta;
}

void core_set_near(unsigned long base, unsigned long bytes, unsigned long bias) {
    fathom_near_base = base;
    fathom_near_bytes = bytes;
    fathom_near_bias = bias;
}

void core_set_copies(unsigned long in_place_below, unsigned long long_from) {
    fathom_copy_in_place_below = in_place_below;
    fathom_copy_long_from = long_from < CORE_NO_SIZE ? long_from : CORE_NO_SIZE;
}

void core_set_split(unsigned long data, unsigned long bytes, unsigned long offset, unsigned long here,
                    unsigned long stored) {
    fathom_split_data = data;
    fathom_split_data_bytes = bytes;
    fathom_split_data_offset = offset;
    fathom_split_here = here;
    fathom_split_stored = stored;
}
