int where(void) { return MYTHREAD * 100 / THREADS; }
int last(void) { return MYTHREAD == THREADS - 1; }
