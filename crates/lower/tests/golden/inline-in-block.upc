/* An inline definition whose first declaration stands in a block: it is declared static before that. */
inline int known(int y);
int before(void) {
    int in_block(int), again(int), known(int);
    extern int in_block(int);
    return in_block(1) + known(2);
}
inline int in_block(int y) { return y; }
inline int known(int y) { return y; }
int again(int y) { return y; }
