// A upc_forall head has four parts; a plain for has three.
void a(int i) {
    upc_forall (i = 0; i < 10; i++) ; // error: C syntax, 6.6.2 p2
}
void b(int i) {
    upc_forall (i = 0; i < 10) ; // error: C syntax, 6.6.2 p2
}
void c(int i) {
    for (i = 0; i < 10; i++; i) ; // error: C 6.8.5
}
void d(int i) {
    upc_forall (i = 0; i < 10; i++; i; i) ; // error: C syntax, 6.6.2 p2
}
void e(int i) {
    upc_forall (i = 0; i < 10; continue; i) ; // error: C syntax, 6.6.2 p2
}
void f(int i) {
    upc_forall i = 0; i < 10; i++; i ; // error: C syntax, 6.6.2 p2
}
int g(void) { return 0; }
