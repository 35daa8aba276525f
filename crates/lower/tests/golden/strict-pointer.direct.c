
typedef unsigned long size_t;
extern char fathom_at_p[] __asm__("p") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak p\n\t.type p,@object\n\t.size p,8\np:\t.zero 8\n\t.popsection");
# 4 "<input>"

fathom_ptr q ; 
int get(void) { return __extension__ ({ const fathom_ptr fathom_at1 = fathom_word(&(*(int *)fathom_place((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p)))))); int fathom_v3; fathom_strict_read(1, fathom_at1, &fathom_v3, sizeof fathom_v3); fathom_v3; }) + (*(int *)fathom_place(q)); } 
void set(fathom_ptr to) { ((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p))) = to); (__extension__ ({ int fathom_v4 = 1; const fathom_ptr fathom_at5 = fathom_word(&(*(int *)fathom_place(to))); fathom_strict_write(1, fathom_at5, &fathom_v4, sizeof fathom_v4); fathom_v4; })); (__extension__ ({ int fathom_v6 = (*(int *)fathom_place(q)); const fathom_ptr fathom_at7 = fathom_word(&(*(int *)fathom_place((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p)))))); fathom_strict_write(1, fathom_at7, &fathom_v6, sizeof fathom_v6); fathom_v6; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
