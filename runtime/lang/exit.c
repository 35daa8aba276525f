/* upc_global_exit (UPC 1.3, 7.2.1): ends the job at once; every thread's files are flushed. bupc_exit ends the thread, as
 * exit does. */
#include <stdlib.h>
#include "bupc_extensions.h"
#include "gas/gas_internal.h"
#include "lang/library.h"

void upc_global_exit(int status) { gas_exit(status); }
void bupc_exit(int status) { exit(status); }
char *bupc_getenv(const char *name) { return getenv(name); }
