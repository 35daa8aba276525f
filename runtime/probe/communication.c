/* Kernels of the area communication. */
#include "probe/probe.h"

const struct kernel kernels_communication[] = {{NULL, NULL}};
