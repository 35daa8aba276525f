// No object of automatic storage duration has a shared type, nor an array of shared type.
typedef shared int S;
typedef shared [] int SA[4];
struct s { int x; };
void f(void) {
    shared int a; // error: 6.5.2 p8
    shared int *y;
    int *shared z; // error: 6.5.2 p8
    shared int b[THREADS]; // error: 6.5.2 p8
    shared [] int c[4]; // error: 6.5.2 p8
    S d; // error: 6.5.2 p8
    SA e; // error: 6.5.2 p8
    auto shared int g; // error: 6.5.2 p8
    register shared int h; // error: 6.5.2 p8
    shared struct s i; // error: 6.5.2 p8
    strict shared [2] int *shared [3] j[3 * THREADS]; // error: 6.5.2 p8
    {
        const shared int k = 3; // error: 6.5.2 p8
    }
    for (shared int l = 0; l < 3; l++); // error: 6.5.2 p8
    upc_forall (shared int m = 0; m < 3; m++; m); // error: 6.5.2 p8
    int n = ({ shared int o; 3; }); // error: 6.5.2 p8
}
