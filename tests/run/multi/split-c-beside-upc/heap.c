#include <stdlib.h>

int *c_allocates(int n) { return malloc(n * sizeof(int)); }
