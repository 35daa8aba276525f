// Initialisers of shared objects are constant: they are stored before main starts.
int n;
shared int s;
int g(void);
shared int a = n; // error: 6.5.2.1 p4
shared int b = g(); // error: 6.5.2.1 p4
shared int c = s; // error: 6.5.2.1 p4
shared [] int d[2] = {1, n}; // error: 6.5.2.1 p4
shared struct { int x, y; } e = {.y = n}; // error: 6.5.2.1 p4
void f(int x) {
    static shared int h = x; // error: 6.5.2.1 p4
    static shared int fine = sizeof(x) + (int)3.5;
}
shared [] int *shared fine = 0;
shared int *shared also_fine = &s;
