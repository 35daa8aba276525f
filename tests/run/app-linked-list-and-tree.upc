// threads: 1 2 3 4 8
/* Structures that point to shared memory: a sorted list and a search tree that all threads insert into, nodes on the
 * thread that inserted them, links crossing threads. */
#include "check.h"

#define EACH 60

typedef struct node node;
struct node {
    int key, owner;
    shared node *next;      /* of the list */
    shared node *child[2];  /* of the tree */
};

shared node *shared head;
shared node *shared root;
upc_lock_t *list_lock, *tree_lock;

static shared node *make(int key) {
    shared node *n = (shared node *)upc_alloc(sizeof(node));
    n->key = key;
    n->owner = MYTHREAD;
    n->next = n->child[0] = n->child[1] = NULL;
    return n;
}

static void list_insert(int key) {
    shared node *n = make(key), *shared *link = &head;
    upc_lock(list_lock);
    if (head == NULL || head->key >= key) {
        n->next = head;
        *link = n;
    } else {
        shared node *at = head;
        while (at->next && at->next->key < key) at = at->next;
        n->next = at->next;
        at->next = n;
    }
    upc_unlock(list_lock);
}

static void tree_insert(int key) {
    shared node *n = make(key);
    upc_lock(tree_lock);
    if (!root) root = n;
    else
        for (shared node *at = root;;) {
            int side = key >= at->key;
            if (!at->child[side]) {
                at->child[side] = n;
                break;
            }
            at = at->child[side];
        }
    upc_unlock(tree_lock);
}

/* Keys come out in order; counts those of each thread, and frees the nodes. */
static int visit(shared node *n, int last, int *count) {
    if (!n) return last;
    last = visit(n->child[0], last, count);
    CHECK(n->key >= last);
    CHECK_EQ(n->owner, upc_threadof(n));
    count[n->owner]++;
    last = visit(n->child[1], n->key, count);
    upc_free(n);
    return last;
}

int main(void) {
    list_lock = upc_all_lock_alloc();
    tree_lock = upc_all_lock_alloc();
    for (int i = 0; i < EACH; i++) {
        list_insert((i * 37 + MYTHREAD * 11) % 101);
        tree_insert((i * 53 + MYTHREAD * 29) % 97);
    }
    upc_barrier;

    if (MYTHREAD == THREADS - 1) {
        int listed[THREADS], planted[THREADS], n = 0, last = -1;
        memset(listed, 0, sizeof listed);
        memset(planted, 0, sizeof planted);
        for (shared node *at = head; at;) {
            shared node *gone = at;
            CHECK(at->key >= last);
            last = at->key;
            listed[at->owner]++;
            n++;
            at = at->next;
            upc_free(gone); /* whoever allocated it */
        }
        CHECK_EQ(EACH * THREADS, n);
        visit(root, -1, planted);
        for (int t = 0; t < THREADS; t++) {
            CHECK_EQ(EACH, listed[t]);
            CHECK_EQ(EACH, planted[t]);
        }
    }
    upc_barrier;
    upc_all_lock_free(list_lock);
    upc_all_lock_free(tree_lock);
    return 0;
}
