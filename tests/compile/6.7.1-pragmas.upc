// upc pragmas may stand between external declarations and at the head of a compound statement; no macro is replaced in them.
#define strict_please strict
#define relaxed strict
#undef relaxed
#define upc something_else
#pragma upc strict
#undef upc
shared int x;
#pragma   upc   relaxed  /* a comment */
# pragma upc strict // another
void f(void) {
#pragma upc relaxed
    x = 1;
    {
#pragma upc strict
#pragma upc relaxed
        int y = x;
        x = y;
    }
    if (x) {
        #pragma upc strict
        x++;
    }
    upc_forall (int i = 0; i < 3; i++; i) {
#pragma upc relaxed
        x = i;
    }
}
_Pragma("upc relaxed")
#pragma upc strict
