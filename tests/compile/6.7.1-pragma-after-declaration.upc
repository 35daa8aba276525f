// Inside a compound statement the pragmas come before every declaration and statement.
shared int x;
void f(void) {
#pragma upc strict
    int y = x;
#pragma upc relaxed // error: 6.7.1 p4
    x = y;
    {
        x++;
#pragma upc strict // error: 6.7.1 p4
    }
}
#pragma upc relaxed
