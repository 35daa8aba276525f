/* CHECK for self-checking Split-C programs, as check.h has it for UPC. */
#ifndef CHECK_SPLIT_C_H
#define CHECK_SPLIT_C_H

#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

#define CHECK_WHO "processor"
#define CHECK_ME MYPROC
#define CHECK_END splitc_exit
#include "check-any.h"

#endif
