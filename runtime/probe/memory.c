/* Kernels of the latency side of the area memory. */
#include "probe/probe.h"

const struct kernel kernels_memory[] = {{NULL, NULL}};
