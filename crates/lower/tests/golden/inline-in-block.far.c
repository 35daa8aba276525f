
typedef unsigned long size_t;
/* An inline definition whose first declaration stands in a block: it is declared static before that. */
static __attribute__((__unused__)) inline int known(int y);
static __attribute__((__unused__)) inline int in_block(int);
# 5 "<input>"
int before(void) { 
int in_block(int), again(int), known(int); 
extern int in_block(int);
    return in_block(1) + known(2);
} 
static __attribute__((__unused__)) inline int in_block(int y) { return y; } 
static __attribute__((__unused__)) inline int known(int y) { return y; }
int again(int y) { return y; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
