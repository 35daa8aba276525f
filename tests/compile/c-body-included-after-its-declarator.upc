// flags: -Wunused-variable
// The marker that enters the included file stands in the middle of a definition; what follows has its own lines again.
shared long total;
void add
#include "include/body-of-a-function.h"
void add_more
#include "include/body-of-a-function.h"
void wrong(void) { int idle; total = 0; } // warning: C unused variable
