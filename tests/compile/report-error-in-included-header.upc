// Errors in a header of the user are reported in the header, with its name and line.
#include "include/faulty.h"
strict int here; // error: 6.5.1.1 p4
