// threads: 1 2 3
/* C 6.5.16, 6.5.2.4, 6.5.3.1 on shared lvalues (5.1.2p2): every assignment operator, and ++ and -- with their values, on
 * objects of int and wider types. */
#include "check.h"

#define NAME sint
#define T int
#define INTEGER 1
#include "operators-one.h"

#define NAME uint
#define T unsigned
#define INTEGER 1
#include "operators-one.h"

#define NAME slong
#define T long
#define INTEGER 1
#include "operators-one.h"

#define NAME ulong
#define T unsigned long
#define INTEGER 1
#include "operators-one.h"

#define NAME slonglong
#define T long long
#define INTEGER 1
#include "operators-one.h"

#define NAME ulonglong
#define T unsigned long long
#define INTEGER 1
#include "operators-one.h"

int main(void) {
    sint_check();
    uint_check();
    slong_check();
    ulong_check();
    slonglong_check();
    ulonglong_check();
    return 0;
}
