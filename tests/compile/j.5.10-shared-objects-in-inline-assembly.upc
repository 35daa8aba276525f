// Inline assembly reaches outputs and operands in memory by their addresses, which far objects do not have.
shared int a[THREADS];
int x;
void f(void) {
    __asm__("" : "=r"(a[1])); // warning: C J.5.10
    __asm__("" : "+m"(a[0])); // warning: C J.5.10
    __asm__("" : : "m"(a[1])); // warning: C J.5.10
    __asm__("" : "=r"(x) : "m" "o"(*(shared [] int *)&a[0])); // warning: C J.5.10
    __asm__("" : "=r"(x) : "r"(a[1]), "rm"(a[0]), "0"(a[2]), "r"(&a[1]));
    __asm__("" : "=m"(*(int *)&a[0]) : "m"(x));
}
