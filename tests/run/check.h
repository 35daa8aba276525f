/* CHECK for self-checking UPC programs.
 *
 * A test is a program that exits 0 when all is well. The first check that fails on any thread says where and what, and
 * ends the whole job with status 1. CHECK is an expression, so that it can stand wherever one can; its operand may
 * contain shared accesses. CHECK_EQ(expected, actual) also prints both values, and takes integers of any type.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

#define CHECK_WHO "thread"
#define CHECK_ME MYTHREAD
#define CHECK_END upc_global_exit
#include "check-any.h"

#endif
