// Inside a compound statement the pragmas come before every declaration and statement.
shared int x;
void f(void) {
#pragma upc strict
    int y = x;
#pragma upc relaxed // warning: 6.7.1 p4
    x = y;
    {
        x++;
#pragma upc strict // warning: 6.7.1 p4
    }
}
#pragma upc relaxed
