/* Pointers to shared that are shared themselves, in structures and arrays, private and shared. */
struct node { int value; shared struct node *next; };
shared struct node *shared head;
shared int *shared table[THREADS];
int length(void) {
    int n = 0;
    for (shared struct node *p = head; p; p = p->next) n += p->value;
    return n;
}
int get(int i) { return *table[i] + table[i][2]; }
void link(shared struct node *n) { n->next = head; head = n; }
