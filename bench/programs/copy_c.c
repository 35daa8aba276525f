/* The C side of copy.upc. */
#include <string.h>

void *copy_c_to, *copy_c_from;
unsigned long copy_c_bytes;

void copy_c(void) { memcpy(copy_c_to, copy_c_from, copy_c_bytes); }
