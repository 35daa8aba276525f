extern shared int a[THREADS];
static shared int b[THREADS];
extern shared [] double *c;
int f(void) { extern shared int late; return a[0] + b[1] + (int)c[2] + late; }
