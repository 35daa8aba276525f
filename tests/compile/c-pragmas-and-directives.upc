// Pragmas of others, #ident, #line and _Pragma pass through wherever they stand.
#ident "version 1"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma once_upon_a_time (
#pragma STDC FP_CONTRACT ON
#pragma pack(push, 1)
struct s { char c; int i; };
#pragma pack(pop)
#line 100 "elsewhere.c"
_Static_assert(__LINE__ == 100, "line");
#line 13 "c-pragmas-and-directives.upc"
int f(int n) {
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        n++;
    _Pragma("GCC unroll 4")
    for (int i = 0; i < n; i++) n--;
    struct t {
        int x;
    } t = {
        1};
    return n + t.x + (int)sizeof(struct s);
}
#pragma GCC diagnostic pop
#
#define EMPTY
EMPTY ;
