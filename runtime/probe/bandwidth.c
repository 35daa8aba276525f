/* Kernels of the bandwidths of the area memory. */
#include "probe/probe.h"

const struct kernel kernels_bandwidth[] = {{NULL, NULL}};
