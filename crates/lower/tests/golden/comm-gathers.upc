/* With -fcomm-opt: elements whose places a loop computes are fetched together. */
shared double t[10 * THREADS];
shared [4] double u[4 * THREADS];
shared int ix[10 * THREADS];
double sum(int n, const int *w) { double s = 0; for (int i = 0; i < n; i++) s += t[w[i]]; return s; }
double both(int n) { double s = 0; for (int i = 0; i < n; i++) s += u[i] * t[ix[i]]; return s; }
double some(int n, const int *w, double *to) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (w[i] < 0) continue;
        int k = w[i];
        to[i] = t[k];
        if (u[k] > 0 && t[k] > 0) s += u[k];
    }
    return s;
}
void own(int n, double *to) { upc_forall (int i = 0; i < n; i++; &ix[i]) to[i] = t[ix[i]]; }
