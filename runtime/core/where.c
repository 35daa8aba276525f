#include "core/core.h"
const char *core_where(void *pc) { (void)pc; return ""; }
