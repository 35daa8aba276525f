/* A shared object of one element: read, written, updated. */
shared int x;
shared double d;
int read(void) { return x; }
void write(int v) { x = v; }
double update(void) { x += 3; d *= x; return d++ - --x; }
