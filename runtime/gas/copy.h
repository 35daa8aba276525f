/* Contiguous copies within reach, by each mechanism. */
#ifndef GAS_COPY_H
#define GAS_COPY_H

#include "lang/prelude.h"

/* By stores that pass the caches by: what is written is not wanted soon, and what the caches hold stays there. Complete,
 * and in order with what follows, when it returns. */
void gas_copy_stream(char *dst, const char *src, unsigned long n);
/* The same without the last step: gas_copy_stream_end comes after the last. */
void gas_copy_stream_part(char *dst, const char *src, unsigned long n);
void gas_copy_stream_end(void);

#endif
