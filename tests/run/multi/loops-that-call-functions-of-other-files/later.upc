#include "functions.h"

long writes_later(long i) { return writes_by_pointer(i) + 1; }
