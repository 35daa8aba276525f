// dynamic-only
// A block size is constant, and THREADS is not in the dynamic environment; [*] is what a program wants there.
shared [THREADS] int a[THREADS]; // error: 6.5.1.1 p3
shared [2 * THREADS] int *p; // error: 6.5.1.1 p3
shared [*] int fine[2 * THREADS];
shared [sizeof(int)] char also_fine[4 * THREADS];
