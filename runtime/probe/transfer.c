/* Kernels of the area transfers. */
#include "probe/probe.h"

const struct kernel kernels_transfer[] = {{NULL, NULL}};
