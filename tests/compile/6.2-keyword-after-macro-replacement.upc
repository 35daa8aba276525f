// Keywords are recognised in translation phase 7: a macro may be named after one, and its replacement is what counts.
#include <upc.h>
#define SH shared
#define LAYOUT(b) SH [b]
#define forall upc_forall
#define sync upc_barrier
LAYOUT(4) int a[4 * THREADS];
SH strict int flag;
void f(void) {
    int i;
    forall (i = 0; i < 4 * THREADS; i++; &a[i]) a[i] = MYTHREAD;
    sync;
    sync 7;
}
