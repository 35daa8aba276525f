/* Names that a library of UPC has, too: a program that declares them, if only after their use, keeps its own. */
#include <upc.h>

typedef int upc_tick_t;
enum { UPC_INC = 3 };
struct member { int upc_sync, UPC_SET; };
struct upc_hint *only_a_tag;

upc_tick_t ticks(struct member *m) { return m->upc_sync + m->UPC_SET + UPC_INC; }
int caller(void) { return upc_sync(); } // warning: 7.1 p1
int upc_sync(void) { return 1; }
