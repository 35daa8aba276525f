// Affinity: any integer, any pointer-to-shared, continue, or nothing; any declaration may stand in the head.
#include <upc.h>
shared int a[10 * THREADS], s, *p;
shared [5] double b[5 * THREADS][4];
shared [] char c[8];
shared struct s { int x, y[3]; } st;
shared void *g;
upc_lock_t *l;
enum e { E } en;
_Bool bo;
struct bits { unsigned f : 4; } bits;
unsigned long long ull;
int fn(int);
shared int *where(int);
void f(int n, shared int *param) {
    int i;
    upc_forall (i = 0; i < n; i++; i) a[i] = i;
    upc_forall (i = 0; i < n; i++; &a[i]) a[i] = i;
    upc_forall (i = 0; i < n; i++; a + i) a[i] = i;
    upc_forall (i = 0; i < n; i++; a) ;
    upc_forall (i = 0; i < n; i++; continue) ;
    upc_forall (i = 0; i < n; i++;) ;
    upc_forall (;;;) ;
    upc_forall (int j = 0, k = 1; j < n; j++, k--; j + k) { continue; }
    upc_forall (shared int *q = a; q < a + n; q++; q) *q = 1;
    upc_forall (i = 0; i < n; i++; &b[i][2]) ;
    upc_forall (i = 0; i < n; i++; b[i]) ;
    upc_forall (i = 0; i < n; i++; &b[i]) ;
    upc_forall (i = 0; i < n; i++; c + i) ;
    upc_forall (i = 0; i < n; i++; &st.y[1]) ;
    upc_forall (i = 0; i < n; i++; st.y) ;
    upc_forall (i = 0; i < n; i++; g) ;
    upc_forall (i = 0; i < n; i++; l) ;
    upc_forall (i = 0; i < n; i++; en) ;
    upc_forall (i = 0; i < n; i++; bo) ;
    upc_forall (i = 0; i < n; i++; bits.f) ;
    upc_forall (i = 0; i < n; i++; ull + i) ;
    upc_forall (i = 0; i < n; i++; a[i]) ;
    upc_forall (i = 0; i < n; i++; s) ;
    upc_forall (i = 0; i < n; i++; fn(i)) ;
    upc_forall (i = 0; i < n; i++; where(i)) ;
    upc_forall (i = 0; i < n; i++; (fn(i), &a[i])) ;
    upc_forall (i = 0; i < n; i++; 'a' + i) ;
    upc_forall (i = 0; i < n; i++; i % 2 ? p : param) ;
    upc_forall (i = 0; i < n; i++; MYTHREAD) ;
    upc_forall (i = 0; i < n; i++; i)
        upc_forall (int j = 0; j < n; j++; &a[j])
            for (int k = 0; k < n; k++) {
                if (k == 3) continue;
                if (k == 4) break; /* the inner for */
                switch (k) { default: continue; case 1: break; }
            }
}
