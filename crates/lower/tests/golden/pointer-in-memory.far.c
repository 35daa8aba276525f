
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
{ fathom_ptr p  = __extension__ ({ fathom_ptr fathom_copy2; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head)))), &fathom_copy2, sizeof fathom_copy2); }); for (; p; p = __extension__ ({ fathom_ptr fathom_copy5; *(fathom_ptr *)fathom_read(fathom_place_word(&((struct node *)fathom_place(p))->next), &fathom_copy5, sizeof fathom_copy5); })) n += __extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&((struct node *)fathom_place(p))->value), &fathom_copy8, sizeof fathom_copy8); }); } 
return n;
} 
int get(int i) { return __extension__ ({ int fathom_copy14; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_copy11; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i))))), &fathom_copy11, sizeof fathom_copy11); })))), &fathom_copy14, sizeof fathom_copy14); }) + __extension__ ({ int fathom_copy20; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_add(__extension__ ({ fathom_ptr fathom_copy17; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i))))), &fathom_copy17, sizeof fathom_copy17); }), (long)(2), 4ul)))), &fathom_copy20, sizeof fathom_copy20); }); } 
void link(fathom_ptr n) { (__extension__ ({ fathom_ptr fathom_v25 = __extension__ ({ fathom_ptr fathom_copy23; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head)))), &fathom_copy23, sizeof fathom_copy23); }); const fathom_ptr fathom_at26 = fathom_place_word(&((struct node *)fathom_place(n))->next); fathom_write(fathom_is_near(fathom_at26), fathom_at26, &fathom_v25, sizeof fathom_v25); fathom_v25; })); (__extension__ ({ fathom_ptr fathom_v27 = n; const fathom_ptr fathom_at28 = fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head)))); fathom_write(fathom_is_near(fathom_at28), fathom_at28, &fathom_v27, sizeof fathom_v27); fathom_v27; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
