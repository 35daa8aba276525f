// printf and scanf take C pointers, and their arguments have no types that would say so.
#define _XOPEN_SOURCE 600 /* without dprintf */
#include <stdio.h>
#include <upc.h>
shared int x, *p;
shared [] char text[10];
void own(const char *format, ...);
static int dprintf(int level, ...) { return level; }
void f(FILE *file, char *to) {
    scanf("%d", &x); // warning: 6.4.3 p4
    fscanf(file, "%d", p); // warning: 6.4.3 p4
    printf("%s", text); // warning: 6.4.3 p4
    snprintf(to, 10, "%p", p); // warning: 6.4.3 p4
    (printf)("%s", text); // warning: 6.4.3 p4
    printf("%d %d %zu %c", x, *p, upc_threadof(p), text[1]);
    printf("%p", (void *)p);
    own("", p, &x, text);
    dprintf(1, p, text);
    int (*sscanf)(const char *, ...) = 0;
    sscanf("", p);
}
