/* The only use of a library's names: the header is there nevertheless. */
#include <upc.h>

void finish(upc_handle_t); // warning: 7.1 p1
void (*pointer)(shared void *) = 0;
