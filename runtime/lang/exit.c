/* upc_global_exit (UPC 1.3, 7.2.1): ends the job at once; every thread's files are flushed. */
#include "gas/gas_internal.h"
#include "lang/library.h"

void upc_global_exit(int status) { gas_exit(status); }
