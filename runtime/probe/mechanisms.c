/* Kernels of the area mechanisms. */
#include "probe/probe.h"

const struct kernel kernels_mechanisms[] = {{NULL, NULL}};
