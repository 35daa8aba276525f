/* <upc_castable.h>: which shared objects of other threads this thread can reach by a C pointer (UPC 1.3 optional
 * library, 7.7). */
#ifndef UPC_CASTABLE_H
#define UPC_CASTABLE_H

#include <stddef.h>

/* Memory regions, one bit each. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

typedef struct upc_thread_info {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

#ifdef __UPC__
void *upc_cast(const shared void *ptr);
#endif
upc_thread_info_t upc_thread_info(size_t threadId);

#endif
