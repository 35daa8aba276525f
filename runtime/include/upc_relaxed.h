/* <upc_relaxed.h>: everything of <upc.h>, and shared accesses are relaxed by default from here on. Every inclusion asserts the
 * pragma again (UPC 1.3, 7.1), hence no include guard. */
#include <upc.h>
#pragma upc relaxed
