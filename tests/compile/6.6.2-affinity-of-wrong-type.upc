// The affinity expression of upc_forall has integer or pointer-to-shared type.
struct s { int x; } rec;
shared struct s srec;
double d;
shared double sd;
int *p, a[10];
shared int s;
void *v;
void g(void);
void f(void) {
    int i;
    upc_forall (i = 0; i < 10; i++; 1.5) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; d) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; &i) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; p) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; a) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; rec) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; srec) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; sd) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; g()) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; v) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; (int *)&s) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; "text") ; // error: 6.6.2 p4
    upc_forall (float x = 0; x < 10; x++; x) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; (i, d)) ; // error: 6.6.2 p4
    upc_forall (i = 0; i < 10; i++; i) {
        upc_forall (int j = 0; j < 10; j++; &j) ; // error: 6.6.2 p4
    }
}
