/* Contiguous copies within reach, by each mechanism. */
#ifndef GAS_COPY_H
#define GAS_COPY_H

#include "lang/prelude.h"

/* Uses stores that bypass the caches: the written data is not needed soon, and the contents of the caches stay there.
 * When it returns, the stores are complete, and in order with later ones. */
void gas_copy_stream(char *dst, const char *src, unsigned long n);
/* The same without the last step: gas_copy_stream_end comes after the last part. */
void gas_copy_stream_part(char *dst, const char *src, unsigned long n);
void gas_copy_stream_end(void);

#endif
