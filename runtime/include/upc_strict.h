/* <upc_strict.h>: everything of <upc.h>, and shared accesses are strict by default from here on. Every inclusion asserts the
 * pragma again (UPC 1.3, 7.1), hence no include guard. */
#include <upc.h>
#pragma upc strict
