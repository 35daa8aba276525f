// flags: -T 4
/* The same in the static environment, where no dimension needs THREADS. */
extern shared [*] int used[];
extern shared [*] int unused[]; // warning: 6.5.1.1 p16
extern shared [*] int completed[];
shared [*] int completed[12];
int f(void) { return completed[3] + used[1]; } // error: 6.5.1.1 p16
