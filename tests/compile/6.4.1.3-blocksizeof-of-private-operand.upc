// upc_blocksizeof applies to a shared type or an expression of shared type only.
shared int s;
shared int *p;
int *shared_pointee_only;
int i, a[10];
typedef int T;
typedef shared int ST;
struct st { shared int *p; } rec;
unsigned long r[9];
void f(void) {
    r[0] = upc_blocksizeof(int); // error: 6.4.1.3 p1
    r[1] = upc_blocksizeof i; // error: 6.4.1.3 p1
    r[2] = upc_blocksizeof(a); // error: 6.4.1.3 p1
    r[3] = upc_blocksizeof(p); // error: 6.4.1.3 p1
    r[4] = upc_blocksizeof(shared int *); // error: 6.4.1.3 p1
    r[5] = upc_blocksizeof(T); // error: 6.4.1.3 p1
    r[6] = upc_blocksizeof(rec.p); // error: 6.4.1.3 p1
    r[7] = upc_blocksizeof(1 + s); // error: 6.4.1.3 p1
    r[8] = upc_blocksizeof(s) + upc_blocksizeof(ST) + upc_blocksizeof(*p) + upc_blocksizeof(*rec.p);
    r[8] = upc_blocksizeof(shared_pointee_only); // error: 6.4.1.3 p1
}
