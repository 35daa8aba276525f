// Leaving a upc_forall by break, goto or return, and entering its body by goto, is undefined: a warning each.
shared int a[10 * THREADS];
int f(int n) {
    int i;
    upc_forall (i = 0; i < n; i++; i) {
        if (a[i]) break; // warning: 6.6.2 p13
        if (a[i] > 1) return 3; // warning: 6.6.2 p13
        if (a[i] > 2) goto out; // warning: 6.6.2 p13
        for (int j = 0; j < n; j++) {
            if (j) break;
            if (j > 3) return 4; // warning: 6.6.2 p13
        }
        switch (n) { case 1: break; }
        do break; while (n);
        if (a[i] > 5) goto inside;
        n++;
    inside:
        continue;
    }
    if (n == 77) goto inside; // warning: 6.6.2 p13
out:
    return 0;
}
