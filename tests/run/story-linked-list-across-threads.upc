// threads: 1 2 3 4 8
/* A structure in shared memory that points to its own kind: `shared struct node *next` and `shared [] struct node *`; lists built by all threads, spliced,
 * walked, reversed, sorted and taken apart again. */
#include "check.h"

struct node {
    int key;
    shared struct node *next;
    shared [] struct tree *payload;
};
struct tree {
    int value;
    shared [] struct tree *left, *right;
};
typedef shared struct node *list;

shared list heads[THREADS];
shared list all;
shared [] struct tree *shared root;

static list cons(int key, list next) {
    list n = (list)upc_alloc(sizeof(struct node));
    n->key = key;
    n->next = next;
    n->payload = NULL;
    return n;
}
static shared [] struct tree *insert(shared [] struct tree *t, int v) {
    if (!t) {
        t = (shared [] struct tree *)upc_alloc(sizeof(struct tree));
        t->value = v;
        t->left = t->right = NULL;
    } else if (v < t->value) {
        t->left = insert(t->left, v);
    } else {
        t->right = insert(t->right, v);
    }
    return t;
}
static int flatten(shared [] struct tree *t, int *out) {
    if (!t) return 0;
    int n = flatten(t->left, out);
    out[n++] = t->value;
    return n + flatten(t->right, out + n);
}

int main(void) {
    /* Each thread: MYTHREAD*10+9 … MYTHREAD*10, ascending from the head. */
    for (int k = 9; k >= 0; k--) heads[MYTHREAD] = cons(MYTHREAD * 10 + k, heads[MYTHREAD]);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        all = heads[0];
        for (int t = 0; t + 1 < THREADS; t++) {
            list p;
            for (p = heads[t]; p->next != NULL; p = p->next) continue;
            p->next = heads[t + 1];
        }
    }
    upc_barrier;
    int expected = 0;
    for (list p = all; p; p = p->next) {
        CHECK_EQ(expected, p->key);
        CHECK_EQ(expected / 10, upc_threadof(p));
        expected++;
    }
    CHECK_EQ(10 * THREADS, expected);
    if (THREADS > 1) CHECK_EQ(10, all->next->next->next->next->next->next->next->next->next->next->key);
    upc_barrier;
    if (MYTHREAD == 0) {
        list reversed = 0, next;
        for (list p = all; p; p = next) {
            next = p->next;
            p->next = reversed;
            reversed = p;
        }
        all = reversed;
    }
    upc_barrier;
    for (list p = all; p != NULL; p = p->next) CHECK_EQ(--expected, p->key);
    CHECK_EQ(0, expected);
    upc_barrier;
    /* Through the address of the link: remove the odd ones, wherever the links live. */
    if (MYTHREAD == THREADS / 2) {
        shared [] list *at;
        while (all && all->key % 2) {
            list dead = all;
            all = all->next;
            upc_free(dead);
        }
        for (at = &all->next; *at;) {
            if ((*at)->key % 2) {
                list dead = *at;
                *at = dead->next;
                upc_free(dead);
            } else {
                at = &(*at)->next;
            }
        }
    }
    upc_barrier;
    int count = 0;
    for (list p = all; p; p = p->next, count++) CHECK_EQ(0, p->key % 2);
    CHECK_EQ(5 * THREADS, count);
    /* A tree whose nodes lie on whatever thread inserted them; one thread after the other. */
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            for (int k = 0; k < 10; k++) root = insert(root, (k * THREADS + t) * 7 % 101);
        upc_barrier;
    }
    int *sorted = malloc(10 * THREADS * sizeof(int));
    CHECK_EQ(10 * THREADS, flatten(root, sorted));
    for (int k = 1; k < 10 * THREADS; k++) CHECK(sorted[k - 1] <= sorted[k]);
    upc_barrier;
    if (MYTHREAD == 0) {
        all->payload = root;
        all->payload->left = root->right;
        CHECK(all->payload->left == root->right);
        CHECK_EQ(root->right ? root->right->value : 0, all->payload->left ? all->payload->left->value : 0);
    }
    return 0;
}
