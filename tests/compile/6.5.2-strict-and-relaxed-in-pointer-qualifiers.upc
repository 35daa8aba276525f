// The qualifier list after a star is not both strict and relaxed.
int *strict relaxed shared p; // error: 6.5.2 p7
shared int *shared strict const relaxed q; // error: 6.5.2 p7
strict shared int *relaxed shared fine;
struct m { int *relaxed shared strict *p; }; // error: 6.5.2 p7
void f(int *shared relaxed strict *param); // error: 6.5.2 p7
