/* Strict by pragma, for a function and for a block. */
shared int x, y;
#pragma upc strict
int all(void) { x = 1; return y; }
#pragma upc relaxed
int some(void) {
    x = 2;
    {
#pragma upc strict
        x = 3;
        y = x;
    }
    return y;
}
