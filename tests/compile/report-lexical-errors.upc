// What is no token is reported and skipped.
shared int s;
int a = `3; // error: C 6.4
int b = ''; // error: C 6.4.4.4
int c = @5; // error: C 6.4
void f(void) {
    s = 1;
}
