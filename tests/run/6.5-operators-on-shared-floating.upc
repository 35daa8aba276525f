// threads: 1 2 3
/* C 6.5.16, 6.5.2.4, 6.5.3.1 on shared lvalues (5.1.2p2): every assignment operator, and ++ and -- with their values, on
 * objects of floating types. */
#include "check.h"

#define NAME single
#define T float
#define INTEGER 0
#include "operators-one.h"

#define NAME dbl
#define T double
#define INTEGER 0
#include "operators-one.h"

#define NAME extended
#define T long double
#define INTEGER 0
#include "operators-one.h"

int main(void) {
    single_check();
    dbl_check();
    extended_check();
    return 0;
}
