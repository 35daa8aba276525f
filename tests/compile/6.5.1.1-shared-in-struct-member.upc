// A member cannot be shared; only what a member points to can.
typedef shared int S;
typedef shared [] int SA[4];
struct a {
    shared int x; // error: 6.5.1.1 p5
    char *shared p; // error: 6.5.1.1 p5
    shared int *shared q; // error: 6.5.1.1 p5
    shared [] int m[4]; // error: 6.5.1.1 p5
    S t; // error: 6.5.1.1 p5
    shared struct { int i; } in; // error: 6.5.1.1 p5
    strict shared unsigned b : 3; // error: 6.5.1.1 p5
    SA u; // error: 6.5.1.1 p5
    int fine;
};
union u {
    shared double d; // error: 6.5.1.1 p5
    struct {
        S deep; // error: 6.5.1.1 p5
        shared int *fine;
    };
};
struct end { int n; shared [] int flexible[]; }; // error: 6.5.1.1 p5
struct many { shared int *p, *q, r; }; // error: 6.5.1.1 p5
shared struct a whole;
