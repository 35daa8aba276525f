// A result is an automatic object, which cannot be shared (6.5.2 p8); gcc's and clang's UPC refuse it as well. Results may point to shared.
shared int a(void); // error: 6.5.2 p8
typedef shared int S;
S b(void) { return 1; } // error: 6.5.2 p8
struct s {
    shared [3] double (*member)(int); // error: 6.5.2 p8
};
int c(shared int (*parameter)(void)) { return parameter(); } // error: 6.5.2 p8
shared int *fine(void);
shared int *(*also_fine(void))(shared int *);
