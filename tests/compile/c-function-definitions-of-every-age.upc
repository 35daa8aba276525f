// K&R definitions, prototypes, old and new inline, varargs, functions returning pointers to functions and arrays.
#include <stdarg.h>
#include <stdio.h>
#include <signal.h>
#include <setjmp.h>
#include <pthread.h>
#include <time.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/mman.h>
int old();
int old(a, b, f)
    int a;
    char *b;
    double f;
{
    return a + *b + (int)f;
}
char *old_shared(p, n)
    register shared char *p;
    unsigned n;
{
    static char c[2];
    c[0] = p[n];
    return c;
}
static inline int in1(void) { return 1; }
extern __inline __attribute__((gnu_inline)) int in2(void) { return 2; }
_Noreturn void stop(void) { for (;;); }
int (*pick(int which))(int) { return which ? putchar : 0; }
int (*rows(void))[3] { static int r[2][3]; return r; }
shared int *(*shared_pick(void))(shared int *, int) { return 0; }
void (*handler(int sig, void (*h)(int)))(int) { return signal(sig, h); }
static int total(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int sum = 0;
    while (n--) sum += va_arg(ap, int) + (int)va_arg(copy, double) + (int)va_arg(copy, struct timeval *)->tv_sec;
    va_end(ap);
    return sum;
}
static jmp_buf jb;
static void *run(void *arg) { return arg; }
int main(int argc, char **argv) {
    pthread_t t;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct stat st;
    if (setjmp(jb)) return 1;
    pthread_create(&t, NULL, run, argv);
    pthread_mutex_lock(&m);
    return old(argc, *argv, 1.0) + total(1, 2) + in1() + stat("x", &st) + (pick(1) != 0) + rows()[1][2] + WEXITSTATUS(argc) + PROT_READ + (shared_pick() == 0);
}
