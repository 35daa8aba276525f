/* Accesses in statements of every kind. */
shared int a[10 * THREADS];
int f(int i) {
    switch (a[i]) {
    case 1: a[i] = 2; break;
    case 2 ... 4: goto out;
    default: a[i]--;
    }
    if (a[i] > 3) return a[i]; else while (a[i] < 3) a[i]++;
    do { a[i] = a[i + 1]; } while (a[i]);
    for (int k = a[i]; k < a[i + 1]; k += a[0]) a[k] = k;
out:
    return ({ int t = a[i]; a[i] = 0; t; });
}
