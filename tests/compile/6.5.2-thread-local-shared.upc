// What each thread has for itself cannot be shared.
static _Thread_local shared int a; // error: 6.5.2 p8
extern __thread shared [] int b[3]; // error: 6.5.2 p8
static _Thread_local shared int *fine;
void f(void) {
    static __thread shared int c; // error: 6.5.2 p8
}
