// Braces and keywords out of place are reported once each, and the rest of the file is still checked.
shared int s;
void f(int x) {
    else x = 1; // error: C 6.8.4
    x = 2;
}
} // error: C 6.9
strict int y; // error: 6.5.1.1 p4
unknown_type z; // error: C 6.7.2
struct s { int a; int b } t; // warning: C 6.7.2.1
void g(void) { shared int q; } // error: 6.5.2 p8
