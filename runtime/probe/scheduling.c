/* Kernels of the area scheduling. */
#include "probe/probe.h"

const struct kernel kernels_scheduling[] = {{NULL, NULL}};
