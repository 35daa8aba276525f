// flags: -Wreturn-type
// The marker that enters the included file stands in the middle of a definition; what follows has its own lines again.
shared long total;
void add
#include "include/body-of-a-function.h"
void add_more
#include "include/body-of-a-function.h"
int wrong(void) { total = 0; } // warning: C return type
