// Inside a function a compound literal is an automatic object, so its type cannot be shared.
typedef shared int S;
struct s { shared int *p; };
void f(shared int *q) {
    q = &(shared int){1}; // error: 6.5.2 p8
    q = &(S){1}; // error: 6.5.2 p8
    shared [] int *r = (shared [] int[]){1, 2}; // error: 6.5.2 p8
    struct s local = (struct s){q};
    shared int **pp = (shared int *[]){q, 0};
    (void)local, (void)pp;
}
