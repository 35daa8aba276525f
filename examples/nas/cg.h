/* CG, "conjugate gradient": the smallest eigenvalue of a large sparse matrix, by the inverse power method. Each of its
 * CG_ITERATIONS steps solves A z = x with 25 steps of the conjugate gradient method. The matrix has its nonzero
 * elements in random places, and so a product with it reads all of a vector.
 */
#include "nas.h"

#if NAS_CLASS == NAS_CLASS_S
#define CG_N 1400
#define CG_NONZEROS 7 /* in each of the random vectors that the matrix is made of */
#define CG_SHIFT 10.0
#define CG_ZETA 8.5971775078648
#elif NAS_CLASS == NAS_CLASS_W
#define CG_N 7000
#define CG_NONZEROS 8
#define CG_SHIFT 12.0
#define CG_ZETA 10.362595087124
#else
#define CG_N 14000
#define CG_NONZEROS 11
#define CG_SHIFT 20.0
#define CG_ZETA 17.130235054029
#endif
#define CG_ITERATIONS 15
#define CG_STEPS 25 /* of the conjugate gradient method */
#define CG_CONDITION 0.1

/* Rows in compressed form: row j has the elements start[j] to start[j + 1] - 1. */
struct cg_matrix {
    int start[CG_N + 1];
    int *column;
    double *value;
};

struct cg_vector {
    int count, place[CG_NONZEROS + 1];
    double value[CG_NONZEROS + 1];
};

/* The number of the element in this place; v->count if there is none. */
static inline int cg_find(const struct cg_vector *v, int place) {
    int i = 0;
    while (i < v->count && v->place[i] != place) i++;
    return i;
}

/* A vector of CG_NONZEROS random elements in random places; then element `centre` becomes 0.5. */
static inline void cg_random_vector(struct cg_vector *v, uint64_t *seed, int centre) {
    int range = 1, i;
    while (range < CG_N) range *= 2;
    v->count = 0;
    while (v->count < CG_NONZEROS) {
        double value = nas_random(seed);
        int place = (int)(range * nas_random(seed));
        i = cg_find(v, place);
        if (place >= CG_N || i < v->count) continue; /* no such element, or it is there already */
        v->place[v->count] = place;
        v->value[v->count++] = value;
    }
    i = cg_find(v, centre);
    if (i == v->count) v->count++;
    v->place[i] = centre;
    v->value[i] = 0.5;
}

/* Makes those rows of the matrix for which wanted[row] is not 0; the others are empty.
 *
 * The matrix is the sum of w^i v_i v_i' over random vectors v_i, plus a multiple of the unit matrix, where the weights
 * w^i fall from 1 to CG_CONDITION.
 */
static inline void cg_make(struct cg_matrix *a, const char *wanted) {
    struct cg_vector *vectors = nas_allocate(CG_N, sizeof *vectors);
    uint64_t seed = nas_skip(UINT64_C(314159265), 1);
    int *end = nas_allocate(CG_N, sizeof(int));
    for (int i = 0; i < CG_N; i++) {
        struct cg_vector *v = &vectors[i];
        cg_random_vector(v, &seed, i);
        for (int k = 0; k < v->count; k++)
            if (wanted[v->place[k]]) end[v->place[k]] += v->count;
    }

    /* Room for all products, also where several fall on the same element. */
    long room = 0;
    for (int row = 0; row < CG_N; row++) {
        long first = room;
        room += end[row] + (wanted[row] ? 1 : 0);
        end[row] = (int)first;
        a->start[row] = (int)first;
    }
    a->column = nas_allocate(room, sizeof(int));
    a->value = nas_allocate(room, sizeof(double));
    double weight = 1, ratio = pow(CG_CONDITION, 1.0 / CG_N);
    for (int i = 0; i < CG_N; i++) {
        const struct cg_vector *v = &vectors[i];
        for (int k = 0; k < v->count; k++) {
            int row = v->place[k];
            if (!wanted[row]) continue;
            for (int l = 0; l < v->count; l++) {
                a->column[end[row]] = v->place[l];
                a->value[end[row]++] = weight * v->value[k] * v->value[l];
            }
        }
        weight *= ratio;
    }

    /* Add up the products of each element, and close the gaps that this leaves. */
    int *at = nas_allocate(CG_N, sizeof(int)); /* where the element of each column is, plus 1; 0: nowhere yet */
    int filled = 0;
    for (int row = 0; row < CG_N; row++) {
        int first = a->start[row], start = filled;
        a->start[row] = start;
        if (wanted[row]) {
            a->column[end[row]] = row;
            a->value[end[row]++] = CG_CONDITION - CG_SHIFT;
        }
        for (int k = first; k < end[row]; k++) {
            int column = a->column[k];
            if (at[column] > start) {
                a->value[at[column] - 1] += a->value[k];
            } else {
                a->column[filled] = column;
                a->value[filled] = a->value[k];
                at[column] = ++filled;
            }
        }
    }
    a->start[CG_N] = filled;
    free(at);
    free(end);
    free(vectors);
}

static inline int cg_finish(const char *form, double zeta, double residual, double seconds) {
    double elements = CG_NONZEROS * (CG_NONZEROS + 1), step = 5 + elements;
    printf("residual of the last solution: %.6e\n", residual);
    int right = nas_check("zeta", zeta, CG_ZETA, 1e-10 / CG_ZETA);
    return nas_report("CG", form, seconds, 2.0 * CG_ITERATIONS * CG_N * (6 + elements + CG_STEPS * step), right);
}
