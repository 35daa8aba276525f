// After a syntax error the parser finds its feet: every broken construct is reported, and the whole ones after it are checked.
int a = ; // error: C 6.7
int b;
void f(void) {
    b = 3 +; // error: C 6.8
    b = (4; // error: C 6.8
    shared int x; // error: 6.5.2 p8
    if b) return; // error: C 6.8
}
struct s { int; int y; shared int z; }; // error: 6.5.1.1 p5
int g(int, ) { return 0; } // error: C 6.7
strict int c; // error: 6.5.1.1 p4
