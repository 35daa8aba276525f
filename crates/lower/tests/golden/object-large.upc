// Objects of 16 MiB a thread and more, and those of which only another unit knows the length, are addressed through a
// constant; the others by their symbols.
#include <upc.h>
shared [2097152] double large[2097152 * THREADS];
shared [2097151] double small[2097151 * THREADS];
extern shared [] int elsewhere[];
int f(unsigned long i) {
    static shared [] char local[1 << 24];
    return (int)large[i] + (int)small[i] + elsewhere[i] + local[i];
}
