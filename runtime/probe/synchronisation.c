/* Kernels of the area synchronisation. */
#include "probe/probe.h"

const struct kernel kernels_synchronisation[] = {{NULL, NULL}};
