/* A shared list of work behind a lock: threads take tasks from it, and a task may put new tasks on it.
 *
 * The task here is to count the leaves of an uneven tree: a node of height h has children of height h - 1 and h - 2.
 * Nobody knows in advance how much work there is; it ends when no task is left and none is being worked on.
 */
#include <stdio.h>
#include <upc_relaxed.h>

#define HEIGHT 16

struct task {
    int height;
    shared [] struct task *next;
};
typedef shared [] struct task *task_ptr;

upc_lock_t *lock;      /* guards the three below; private, but the same lock in every thread */
shared task_ptr tasks; /* a list of tasks that wait */
shared long open_tasks; /* tasks that wait, and tasks that somebody works on */
shared long leaves;

static void put_task(int height) {
    task_ptr t = upc_alloc(sizeof(struct task));
    t->height = height;
    upc_lock(lock);
    t->next = tasks;
    tasks = t;
    open_tasks++;
    upc_unlock(lock);
}

int main(void) {
    long done = 0, found = 0;
    lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) put_task(HEIGHT);
    upc_barrier;

    for (;;) {
        upc_lock(lock);
        task_ptr t = tasks;
        int finished = open_tasks == 0;
        if (t) tasks = t->next;
        upc_unlock(lock);
        if (finished) break;
        if (!t) {
            upc_poll(); /* somebody is still working and may bring more */
            continue;
        }

        if (t->height < 2) found++;
        else {
            put_task(t->height - 1);
            put_task(t->height - 2);
        }
        upc_free(t); /* whoever allocated it */
        done++;
        upc_lock(lock);
        open_tasks--;
        upc_unlock(lock);
    }

    upc_lock(lock);
    leaves += found;
    upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        long a = 1, b = 1; /* leaves of trees of height h - 1 and h */
        for (int h = 2; h <= HEIGHT; h++) {
            long c = a + b;
            a = b;
            b = c;
        }
        printf("%d threads found %ld leaves in a tree of height %d\n", THREADS, leaves, HEIGHT);
        if (leaves != b) upc_global_exit(1);
        upc_lock_free(lock);
    }
    return 0;
}
