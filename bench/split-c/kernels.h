/* The local work of both sides: SIDE names whose functions these are. All of it is C without processors. */
#define JOIN_(side, name) side##_##name
#define JOIN(side, name) JOIN_(side, name)
#define NAMED(name) JOIN(SIDE, name)

#define COLUMNS 64

struct node {
    double value;
    struct node *next;
};

/* c = a + 3 b */
void NAMED(triad)(double *restrict c, const double *a, const double *b, long n);
/* A list that goes through memory in a random order. */
double NAMED(list)(const struct node *node);
/* One step of a five-point stencil. */
void NAMED(stencil)(double (*to)[COLUMNS], double (*from)[COLUMNS], long rows);
/* The sum of every element, one after the other. */
double NAMED(sum)(double (*rows)[COLUMNS], long n);

#ifdef SIDE_IS_DEFINED_HERE
void NAMED(triad)(double *restrict c, const double *a, const double *b, long n) {
    for (long i = 0; i < n; i++) c[i] = a[i] + 3 * b[i];
}
double NAMED(list)(const struct node *node) {
    double sum = 0;
    for (; node; node = node->next) sum += node->value;
    return sum;
}
void NAMED(stencil)(double (*to)[COLUMNS], double (*from)[COLUMNS], long rows) {
    for (long i = 1; i < rows - 1; i++)
        for (long j = 1; j < COLUMNS - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}
double NAMED(sum)(double (*rows)[COLUMNS], long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < COLUMNS; j++) sum += rows[i][j];
    return sum;
}
#endif
