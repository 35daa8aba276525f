// Local labels, declarations between statements, odd but legal declarators, empty declarations and stray semicolons.
#include <ctype.h>
#include <iso646.h>
#include <string.h>
#include <strings.h>
#include <getopt.h>
#include <glob.h>
#include <search.h>
#include <syslog.h>
#include <termios.h>
#include <ucontext.h>
#include <utime.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/times.h>
#include <sys/utsname.h>
;
struct empty;
enum forward;
enum forward { X, Y, };
typedef struct node node, *list, **lists;
struct node { node *next; list prev; lists all; };
typedef int (function)(int), (*pointer)(int);
function declared_by_typedef;
int (parenthesised), *(*(*deep)[3])(void), ((*(pp)));
const volatile long unsigned int long weird = 3ull;
int typedef T, *TP;
long extern unsigned odd;
T shadow(T T) { return T + 1; }
int f(int x) {
    ;
    {
        __label__ out;
        if (x > 3 and x < 9) goto out;
        x++;
    out:;
    }
    T T = 3;
    struct local { int T; } l = {.T = T};
    for (struct local *p = &l; p; p = 0) x += p->T;
    x = sizeof(int[3]) + sizeof x + (T) - 1 + -x;
    int y, *z = &y; y = (x, x ? x : y, *z);
    do { if (y) continue; else break; } while (y--);
    { } ;
    return isalpha(x) ? -x - -y : x---y;
}
