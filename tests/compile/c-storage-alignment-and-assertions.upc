// _Static_assert, _Alignas, _Alignof, thread-local and register objects, tentative definitions, atomics and POSIX headers.
#include <assert.h>
#include <stdatomic.h>
#include <stdalign.h>
#include <stdnoreturn.h>
#include <stdbool.h>
#include <threads.h>
#include <semaphore.h>
#include <dirent.h>
#include <regex.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/un.h>
_Static_assert(sizeof(int) == 4, "int");
static_assert(alignof(double) == 8, "double");
struct aligned { alignas(32) char c; _Static_assert(1, "inside"); _Alignas(double) int d; };
_Alignas(64) shared int line[THREADS];
_Thread_local int tls = 3;
static __thread int old_tls;
extern thread_local int tls;
int tentative;
int tentative;
extern int tentative;
int tentative = 4;
static _Atomic int counter;
static atomic_int flag = 1;
_Atomic(long) bracketed;
static noreturn void stop(void) { for (;;); }
int f(void) {
    register int r = 1;
    alignas(16) auto char buffer[16];
    atomic_fetch_add(&counter, 1);
    atomic_store_explicit(&flag, 2, memory_order_release);
    bool yes = atomic_load(&flag) == 2;
    counter += 2, counter++;
    wchar_t w = L'x', *ws = L"wide" "joined";
    const char *u = u8"text";
    int c = U'\x1F600' + u'y' + '\123';
    if (!yes) stop();
    for (int i = 0; i < 3; i++) buffer[i] = 0;
    return r + tls + old_tls + (int)bracketed + w + ws[0] + *u + c + buffer[0] + O_RDONLY + POLLIN + line[0];
}
