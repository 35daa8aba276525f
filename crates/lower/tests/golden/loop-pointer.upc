/* Pointers that walk, in loops of all kinds. */
int sum(shared int *p, shared [] int *q, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i] + q[i];
    while (n--) s += *p++;
    do s -= *q--; while (s > 0);
    return s;
}
