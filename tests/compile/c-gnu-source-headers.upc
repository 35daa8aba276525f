// flags: -D_GNU_SOURCE -O2
// With optimisation and _GNU_SOURCE, glibc's headers define inline functions and fortified variants: more to parse.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <sched.h>
#include <pthread.h>
#include <unistd.h>
#include <wchar.h>
#include <byteswap.h>
#include <endian.h>
#include <argp.h>
#include <error.h>
#include <execinfo.h>
#include <obstack.h>
#include <printf.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <immintrin.h>
#include <upc.h>
shared double d[THREADS];
int main(int argc, char **argv) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(1, &set);
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%s %d", argv[0], argc);
    d[MYTHREAD] = atof(strdupa(buffer)) + exp10(2.0) + bswap_32(argc) + CPU_COUNT(&set);
    return strlen(basename(buffer));
}
