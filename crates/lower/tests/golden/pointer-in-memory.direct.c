
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t; 

struct node { int value; fathom_ptr next; };
extern char fathom_at_head[] __asm__("head") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak head\n\t.type head,@object\n\t.size head,8\nhead:\t.zero 8\n\t.popsection");
# 5 "<input>"

extern char fathom_at_table[] __asm__("table") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak table\n\t.type table,@object\n\t.size table,8\ntable:\t.zero 8\n\t.popsection");
# 6 "<input>"

int length(void) {
    int n = 0; 
{ fathom_ptr p  = (*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head))); for (; p; p = ((struct node *)fathom_place(p))->next) n += ((struct node *)fathom_place(p))->value; } 
return n;
} 
int get(int i) { return (*(int *)fathom_place((*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i)))))) + (*(int *)fathom_place(fathom_cyclic_add((*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i)))), (long)(2), 4ul))); } 
void link(fathom_ptr n) { (((struct node *)fathom_place(n))->next = (*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head)))); ((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head))) = n); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
