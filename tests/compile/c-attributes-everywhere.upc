// GNU attributes in every place where system headers and programs put them, on private and shared declarations.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/cdefs.h>
__attribute__((unused)) static int a;
static int b __attribute__((unused)), c __attribute__((aligned(64), unused));
static int __attribute__((unused)) d[3] __attribute__((aligned(16))) = {1};
shared int s __attribute__((aligned(64)));
__attribute__((aligned(32))) shared [4] double sd[4 * THREADS];
struct __attribute__((packed)) p { char c; int i __attribute__((aligned(2))); } __attribute__((aligned(8)));
union u { int i; float f; } __attribute__((transparent_union));
enum e { A __attribute__((deprecated)) = 1, B } __attribute__((packed));
typedef int v4 __attribute__((vector_size(16)));
typedef int aliasing __attribute__((may_alias));
void die(const char *, ...) __attribute__((noreturn, format(printf, 1, 2), cold));
void die(const char *f, ...) { (void)f; abort(); }
extern int renamed(int) __asm__("abs") __attribute__((const));
static inline __attribute__((always_inline)) int in(int x) { return x; }
__attribute__((__nonnull__(1), __warn_unused_result__)) static char *nn(char *p) { return p; }
static void cleanup(int *p) { *p = 0; }
int (*__attribute__((unused)) fp)(int) = in;
int k(int x __attribute__((unused)), char *const __attribute__((unused)) y) {
    int z __attribute__((cleanup(cleanup))) = 1;
    shared struct p *ps __attribute__((unused)) = 0;
    switch (x) {
    case 1: z = 2; __attribute__((fallthrough));
    default: break;
    }
label: __attribute__((unused));
    __extension__ int w = 3;
    char *q = nn("x");
    return z + w + renamed(-1) + (q != 0) + s;
}
__attribute__((constructor)) static void start(void) {}
