// A shared object has a complete type by the end of the file, of constant positive size.
struct unknown;
shared struct unknown a; // error: 6.5.2.1 p2
shared void b; // error: 6.5.2.1 p2
static shared [] int c[]; // error: 6.5.2.1 p2
int n = 3;
shared [] int d[n]; // error: 6.5.2.1 p2
shared [] int e[-1]; // error: 6.5.2.1 p2
void f(int m) {
    static shared [] int g[m]; // error: 6.5.2.1 p2
}
extern shared struct unknown fine;
extern shared [] int also_fine[];
struct later;
extern shared struct later completed;
struct later { int x; };
shared struct later completed;
