/* Strict accesses, by qualifier. */
strict shared int flag;
strict shared long a[2 * THREADS];
relaxed shared int data;
void send(int v) { data = v; flag = 1; }
int receive(void) { while (!flag) continue; return data; }
void update(int i) { a[i]++; a[i] += flag; }
