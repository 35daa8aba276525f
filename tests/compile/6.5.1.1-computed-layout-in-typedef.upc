// [*] cannot be given to a typedef.
typedef shared [*] int T[10 * THREADS]; // error: 6.5.1.1 p7
typedef shared [*] int U; // error: 6.5.1.1 p7
void f(void) {
    typedef shared [*] double V[2 * THREADS]; // error: 6.5.1.1 p7
}
typedef int row[10];
shared [*] row fine[THREADS];
