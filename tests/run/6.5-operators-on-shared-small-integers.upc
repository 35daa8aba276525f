// threads: 1 2 3
/* C 6.5.16, 6.5.2.4, 6.5.3.1 on shared lvalues (5.1.2p2): every assignment operator, and ++ and -- with their values, on
 * objects of character and short types, where the arithmetic is that of int. */
#include "check.h"

#define NAME plain
#define T char
#define INTEGER 1
#include "operators-one.h"

#define NAME schar
#define T signed char
#define INTEGER 1
#include "operators-one.h"

#define NAME uchar
#define T unsigned char
#define INTEGER 1
#include "operators-one.h"

#define NAME sshort
#define T short
#define INTEGER 1
#include "operators-one.h"

#define NAME ushort
#define T unsigned short
#define INTEGER 1
#include "operators-one.h"

int main(void) {
    plain_check();
    schar_check();
    uchar_check();
    sshort_check();
    ushort_check();
    return 0;
}
