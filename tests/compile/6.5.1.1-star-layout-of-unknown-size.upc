/* The block size of [*] follows from the size of the array; where a dimension is missing, neither is known. */
extern shared [*] int used[][THREADS];
extern shared [*] int unused[][THREADS]; // warning: 6.5.1.1 p16
extern shared [*] int completed[][THREADS];
shared [*] int completed[3][THREADS];
extern shared [*] int completed_late[][THREADS];
extern shared [2] int definite[][THREADS];
extern shared [] int indefinite[][4];

int f(shared int *p) {
    extern shared [*] int in_block[][THREADS];
    used[0][0] = 1; // error: 6.5.1.1 p16
    in_block[0][0] = 1; // error: 6.5.1.1 p16
    p = (shared int *)&completed_late[1][0]; // error: 6.5.1.1 p16
    return used[0][1] + completed[2][1] + definite[1][1] + indefinite[1][1] + *p;
}
shared [*] int completed_late[3][THREADS];
int g(void) { return completed_late[1][0]; }
