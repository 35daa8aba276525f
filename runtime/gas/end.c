/* The end of a job, as gas.h offers it; core/end.c does it. */
#include <stdio.h>

#include "gas/gas_internal.h"

void gas_exit(int status) { core_exit(status); }

void gas_fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char text[1536];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    core_fatal("%s", text);
}
