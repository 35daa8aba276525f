// Variable-length arrays, designated initialisers, compound literals, flexible and zero-length arrays, anonymous members.
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <netdb.h>
struct point { int x, y; struct { int z; union { int w; float v; }; }; };
struct flex { int n; double data[]; };
struct zero { int n; char data[0]; };
struct bits { unsigned a : 3, : 5, b : 1; int : 0; signed long c : 40; _Bool d : 1; };
static struct point pts[] = {[2] = {.y = 1, .z = 2}, {3, 4, {5, {6}}}, [0].v = 1.5f, [1].x = 2};
static const char *const names[] = {[3] = "three", "four"}, text[8] = {"abc"}, *one = {"x"};
#ifdef __clang__ /* which warns of the old form */
static struct point old = {.x = 1, .y = 2};
#else
static struct point old = {x: 1, y: 2};
#endif
static int (*table[2])(int) = {abs, [1] = abs}, matrix[][3] = {{1}, {2, 3}, 4, 5, 6};
static struct flex fl = {2, {1.0, 2.0}};
static struct point *lit = &(struct point){.x = 1}, *many = (struct point[]){{1}, {2}};
int sum(int n, int m, double a[n][m], double b[static 3], int c[const], int d[*], int e[restrict static n]);
int sum(int n, int m, double a[n][m], double b[static 3], int c[const], int d[], int e[restrict static n]) {
    double local[n][m + 1], (*p)[m] = a;
    typedef int row[n];
    row r;
    r[0] = sizeof local[0] + sizeof(row) + sizeof(double[n]);
    struct bits f = {.a = 7, .c = -1};
    p++;
    return (int)((double[]){1, 2, 3}[n] + local[0][m] + b[0]) + c[0] + d[0] + e[0] + r[0] + f.a + ((struct point){.w = 3}).w;
}
in_addr_t address(const struct sockaddr *sa) { return ((const struct sockaddr_in *)sa)->sin_addr.s_addr + htons(80); }
int use(void) { return pts[0].x + names[0][0] + text[0] + *one + old.x + table[0](1) + matrix[0][0] + fl.n + lit->x + many->y + (int)sizeof(struct zero); }
