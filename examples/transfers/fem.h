/* FEM, what fem.upc does not communicate, in plain C: the mesh, the parts of the threads, the step, and the serial
 * program whose result fem.upc must have.
 *
 * Waves in a valley: M u'' + K u = 0 for linear tetrahedra with the masses at their nodes, in explicit steps
 * u[n+1] = 2 u[n] - u[n-1] - dt^2 / M K u[n]. A thread has the rows of K that belong to its nodes. They also refer to
 * nodes of other threads that share an element with one of its own: its ghosts. In a thread's arrays its nodes and its
 * ghosts are in the mesh's order, so that the ghosts lie scattered among its nodes.
 */
#ifndef FEM_H
#define FEM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mesh {
    int nodes, elements, parts;
    double (*at)[3];
    int *part;        /* of each node */
    int (*corner)[4]; /* nodes of each element */
};

static inline void *filled(size_t count, size_t bytes) {
    void *p = calloc(count + 1, bytes);
    if (!p) {
        fprintf(stderr, "fem: no memory for %zu objects of %zu bytes\n", count, bytes);
        exit(1);
    }
    return p;
}

/* Reads numbers one after the other; the first that is missing makes all fail. */
static inline double read_number(const char **text, int *good) {
    char *end;
    double x = strtod(*text, &end);
    *good = *good && end != *text;
    *text = end;
    return x;
}
static inline int read_below(const char **text, int limit, int *good) {
    double x = read_number(text, good);
    *good = *good && x >= 0 && x < limit && x == (int)x;
    return *good ? (int)x : 0;
}
static inline int read_count(const char **text, const char *name, int *good) {
    int n = read_below(text, 1 << 30, good);
    size_t length = strlen(name);
    *good = *good && strncmp(*text, name, length) == 0;
    *text += *good ? length : 0;
    return n;
}

/* What mesh.py has written, as text; 0 if it is something else. */
static inline int read_mesh(struct mesh *m, const char *text) {
    int good = 1;
    while (*text == '#') {
        text = strchr(text, '\n');
        if (!text) return 0;
        text++;
    }
    m->nodes = read_count(&text, " nodes", &good);
    m->elements = read_count(&text, " elements", &good);
    m->parts = read_count(&text, " parts", &good);
    if (!good) return 0;
    m->at = filled(m->nodes, sizeof *m->at);
    m->part = filled(m->nodes, sizeof *m->part);
    m->corner = filled(m->elements, sizeof *m->corner);
    for (int n = 0; n < m->nodes && good; n++) {
        for (int k = 0; k < 3; k++) m->at[n][k] = read_number(&text, &good);
        m->part[n] = read_below(&text, m->parts, &good);
    }
    for (int e = 0; e < m->elements && good; e++)
        for (int k = 0; k < 4; k++) m->corner[e][k] = read_below(&text, m->nodes, &good);
    return good;
}

/* ---- the parts of the threads ------------------------------------------------------------------------------------ */

/* The thread that has a node: threads have parts with consecutive numbers. */
static inline int owner(const struct mesh *m, int threads, int node) {
    return (int)((long long)m->part[node] * threads / m->parts);
}

/* Sets the place of each node in thread t's arrays, or -1, and returns the number of places. */
static inline int find_places(const struct mesh *m, int threads, int t, int *place) {
    for (int n = 0; n < m->nodes; n++) place[n] = -1;
    for (int e = 0; e < m->elements; e++) {
        int is_mine = 0;
        for (int k = 0; k < 4; k++) is_mine |= owner(m, threads, m->corner[e][k]) == t;
        for (int k = 0; k < 4 && is_mine; k++) place[m->corner[e][k]] = 0;
    }
    int places = 0;
    for (int n = 0; n < m->nodes; n++)
        if (place[n] == 0) place[n] = places++;
    return places;
}

/* The rows of a thread's nodes: row i is of the node at place[i] of its arrays and has the entries from first[i] to
 * first[i + 1]. */
struct rows {
    int count, *place, *first, *column; /* columns are places, too */
    double *entry, *mass;
};

static inline int in_order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The entries' places in order, each once. */
static inline void find_columns(struct rows *r, const struct mesh *m, const int *place, const int *row) {
    int *next = filled(r->count + 1, sizeof *next);
    for (int e = 0; e < m->elements; e++)
        for (int k = 0; k < 4; k++)
            if (row[m->corner[e][k]] >= 0) next[row[m->corner[e][k]] + 1] += 4;
    for (int i = 0; i < r->count; i++) next[i + 1] += next[i];
    int *all = filled(next[r->count], sizeof *all), *from = filled(r->count, sizeof *from);
    memcpy(from, next, r->count * sizeof *from);
    for (int e = 0; e < m->elements; e++)
        for (int k = 0; k < 4; k++)
            for (int l = 0, i = row[m->corner[e][k]]; l < 4 && i >= 0; l++) all[from[i]++] = place[m->corner[e][l]];
    r->first = filled(r->count + 1, sizeof *r->first);
    r->column = filled(next[r->count], sizeof *r->column);
    for (int i = 0, n = 0; i < r->count; i++) {
        qsort(all + next[i], next[i + 1] - next[i], sizeof *all, in_order);
        for (int k = next[i]; k < next[i + 1]; k++)
            if (k == next[i] || all[k] != all[k - 1]) r->column[n++] = all[k];
        r->first[i + 1] = n;
    }
    free(next);
    free(from);
    free(all);
}

static inline double *entry_of(struct rows *r, int i, int place) {
    for (int k = r->first[i];; k++)
        if (r->column[k] == place) return &r->entry[k];
}

/* mesh.py has the same: half of an ellipsoid, in which waves are slow. */
static inline double squared_speed(const double at[3]) {
    double x = (at[0] - 4) / 2.5, y = (at[1] - 3) / 1.5, z = (at[2] - 2) / 0.7;
    return x * x + y * y + z * z < 1 ? 1 : 6.25;
}

/* Adds an element to those of its four rows that are here. The gradient of a corner's linear function is its opposite
 * face's normal, with the face's area as its length, divided by three volumes. */
static inline void add_element(struct rows *r, const struct mesh *m, const int *corner, const int *place,
                               const int *row) {
    double normal[4][3], centre[3] = {0, 0, 0}, volume = 0;
    for (int k = 0; k < 4; k++) {
        const double *a = m->at[corner[(k + 1) % 4]], *b = m->at[corner[(k + 2) % 4]], *c = m->at[corner[(k + 3) % 4]];
        double sign = k % 2 ? 0.5 : -0.5;
        for (int x = 0; x < 3; x++) {
            int y = (x + 1) % 3, z = (x + 2) % 3;
            normal[k][x] = sign * ((b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]));
            centre[x] += m->at[corner[k]][x] / 4;
        }
    }
    for (int x = 0; x < 3; x++) volume += normal[0][x] * (m->at[corner[0]][x] - m->at[corner[1]][x]) / 3;
    volume = fabs(volume);
    double stiffness = squared_speed(centre) / (9 * volume);
    for (int k = 0; k < 4; k++) {
        int i = row[corner[k]];
        if (i < 0) continue;
        r->mass[i] += volume / 4;
        for (int l = 0; l < 4; l++) {
            double product = 0;
            for (int x = 0; x < 3; x++) product += normal[k][x] * normal[l][x];
            *entry_of(r, i, place[corner[l]]) += stiffness * product;
        }
    }
}

/* Thread t's rows; `place` as from find_places. Entries are summed in the mesh's order, whatever the thread has. */
static inline struct rows make_rows(const struct mesh *m, int threads, int t, const int *place) {
    struct rows r = {0};
    int *row = filled(m->nodes, sizeof *row);
    for (int n = 0; n < m->nodes; n++) row[n] = place[n] >= 0 && owner(m, threads, n) == t ? r.count++ : -1;
    r.place = filled(r.count, sizeof *r.place);
    for (int n = 0; n < m->nodes; n++)
        if (row[n] >= 0) r.place[row[n]] = place[n];
    find_columns(&r, m, place, row);
    r.entry = filled(r.first[r.count], sizeof *r.entry);
    r.mass = filled(r.count, sizeof *r.mass);
    for (int e = 0; e < m->elements; e++) add_element(&r, m, m->corner[e], place, row);
    free(row);
    return r;
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

/* A bound of the greatest eigenvalue of K / M by Gershgorin's circles; dt^2 = 1 / it is stable. */
static inline double eigenvalue_bound(const struct rows *r) {
    double most = 0;
    for (int i = 0; i < r->count; i++) {
        double sum = 0;
        for (int k = r->first[i]; k < r->first[i + 1]; k++) sum += fabs(r->entry[k]);
        if (sum / r->mass[i] > most) most = sum / r->mass[i];
    }
    return most;
}

/* The displacement at the start, at both times before it: a bump in the rock at one end of the valley. */
static inline double first_value(const double at[3]) {
    double x = at[0] - 0.8, y = at[1] - 2, z = at[2] - 1.6;
    return exp(-4 * (x * x + y * y + z * z));
}

/* `before` becomes the step after `now`. One function for all parts: each node's arithmetic is the same in all. */
__attribute__((noinline)) static void take_step(const struct rows *r, double *before, const double *now,
                                                double dt_squared) {
    for (int i = 0; i < r->count; i++) {
        double force = 0;
        for (int k = r->first[i]; k < r->first[i + 1]; k++) force += r->entry[k] * now[r->column[k]];
        int at = r->place[i];
        before[at] = 2 * now[at] - before[at] - dt_squared / r->mass[i] * force;
    }
}

/* A wave that keeps its energy, from one bump of height 1. */
static inline int is_a_wave(const struct mesh *m, const double *value) {
    for (int n = 0; n < m->nodes; n++)
        if (!(fabs(value[n]) < 2)) return 0;
    return 1;
}

/* All nodes' values after so many steps. */
static inline double *serial(const struct mesh *m, int steps) {
    int *place = filled(m->nodes, sizeof *place);
    find_places(m, 1, 0, place);
    struct rows rows = make_rows(m, 1, 0, place);
    double *before = filled(m->nodes, sizeof *before), *now = filled(m->nodes, sizeof *now);
    for (int n = 0; n < m->nodes; n++) before[n] = now[n] = first_value(m->at[n]);
    double dt_squared = 1 / eigenvalue_bound(&rows);
    for (int s = 0; s < steps; s++) {
        take_step(&rows, before, now, dt_squared);
        double *after = before;
        before = now;
        now = after;
    }
    return now;
}

#endif
