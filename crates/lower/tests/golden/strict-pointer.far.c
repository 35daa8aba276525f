
typedef unsigned long size_t;
extern char fathom_at_p[] __asm__("p") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak p\n\t.type p,@object\n\t.size p,8\np:\t.zero 8\n\t.popsection");
# 4 "<input>"

fathom_ptr q ; 
int get(void) { return __extension__ ({ const fathom_ptr fathom_at4 = fathom_place_word(&(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_copy2; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p)))), &fathom_copy2, sizeof fathom_copy2); })))); int fathom_v6; fathom_strict_read(fathom_is_near(fathom_at4), fathom_at4, &fathom_v6, sizeof fathom_v6); fathom_v6; }) + __extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(q))), &fathom_copy8, sizeof fathom_copy8); }); } 
void set(fathom_ptr to) { (__extension__ ({ fathom_ptr fathom_v10 = to; const fathom_ptr fathom_at11 = fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p)))); fathom_write(fathom_is_near(fathom_at11), fathom_at11, &fathom_v10, sizeof fathom_v10); fathom_v10; })); (__extension__ ({ int fathom_v12 = 1; const fathom_ptr fathom_at13 = fathom_place_word(&(*(int *)fathom_place(to))); fathom_strict_write(fathom_is_near(fathom_at13), fathom_at13, &fathom_v12, sizeof fathom_v12); fathom_v12; })); (__extension__ ({ int fathom_v20 = __extension__ ({ int fathom_copy15; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(q))), &fathom_copy15, sizeof fathom_copy15); }); const fathom_ptr fathom_at21 = fathom_place_word(&(*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_copy18; *(fathom_ptr *)fathom_read(fathom_place_word(&(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p)))), &fathom_copy18, sizeof fathom_copy18); })))); fathom_strict_write(fathom_is_near(fathom_at21), fathom_at21, &fathom_v20, sizeof fathom_v20); fathom_v20; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
