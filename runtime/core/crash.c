#include "core/core.h"
void core_crash_start(void) {}
