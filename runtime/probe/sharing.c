/* Kernels of the area sharing. */
#include "probe/probe.h"

const struct kernel kernels_sharing[] = {{NULL, NULL}};
