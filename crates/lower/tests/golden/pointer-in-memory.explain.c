
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

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=34\011function=length\011construct=read\011strict=false\011text=head\011object=head\011elem_bytes=16\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=9\011block=1", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=47\011function=length\011construct=read\011strict=false\011text=p->next\011object=p\011elem_bytes=16\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=9\011block=1", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=61\011function=length\011construct=read\011strict=false\011text=p->value\011object=p\011elem_bytes=16\011row=0\011form=address\011reason=no-forall\011affinity=\011loop_line=9\011block=1", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 7 "<input>"
int length(void) {
    int n = 0; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; struct fathom_tally fathom_tally1_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; struct fathom_tally fathom_tally1_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; { fathom_ptr p  = (*__extension__ ({ __auto_type fathom_p3 = &(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_tally(&fathom_tally1_at0, fathom_word4); fathom_p3; })); for (; p; p = (*__extension__ ({ __auto_type fathom_p5 = &((struct node *)fathom_place(p))->next; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_tally(&fathom_tally1_at1, fathom_word6); fathom_p5; }))) n += (*__extension__ ({ __auto_type fathom_p7 = &((struct node *)fathom_place(p))->value; const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally1_at2, fathom_word8); fathom_p7; })); } } 
return n;
}
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=12\011column=26\011function=get\011construct=read\011strict=false\011text=table[i]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=12\011column=25\011function=get\011construct=read\011strict=false\011text=*table[i]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=12\011column=37\011function=get\011construct=read\011strict=false\011text=table[i]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=12\011column=37\011function=get\011construct=read\011strict=false\011text=table[i][2]\011object=table\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_table};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 12 "<input>"
int get(int i) { return (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place((*__extension__ ({ __auto_type fathom_p9 = &(*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i)))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_3, fathom_word10); fathom_p9; })))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_4, fathom_word12); fathom_p11; })) + (*__extension__ ({ __auto_type fathom_p15 = &(*(int *)fathom_place(fathom_cyclic_add((*__extension__ ({ __auto_type fathom_p13 = &(*(fathom_ptr *)fathom_place(fathom_threads_on(fathom_static(fathom_at_table), (long)(i)))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_5, fathom_word14); fathom_p13; })), (long)(2), 4ul))); const fathom_ptr fathom_word16 = fathom_word(& *fathom_p15); fathom_explain_touch(&fathom_site_6, fathom_word16); fathom_p15; })); }
static struct fathom_site fathom_site_7 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=13\011column=46\011function=link\011construct=read\011strict=false\011text=head\011object=head\011elem_bytes=16\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_7_at __attribute__((section("fathom_sites"), used)) = &fathom_site_7;
static struct fathom_site fathom_site_8 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=13\011column=36\011function=link\011construct=write\011strict=false\011text=n->next\011object=n\011elem_bytes=16\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_8_at __attribute__((section("fathom_sites"), used)) = &fathom_site_8;
static struct fathom_site fathom_site_9 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=13\011column=52\011function=link\011construct=write\011strict=false\011text=head\011object=head\011elem_bytes=16\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_9_at __attribute__((section("fathom_sites"), used)) = &fathom_site_9;
# 13 "<input>"
void link(fathom_ptr n) { ((*__extension__ ({ __auto_type fathom_p19 = &((struct node *)fathom_place(n))->next; const fathom_ptr fathom_word20 = fathom_word(& *fathom_p19); fathom_explain_touch(&fathom_site_8, fathom_word20); fathom_p19; })) = (*__extension__ ({ __auto_type fathom_p17 = &(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head))); const fathom_ptr fathom_word18 = fathom_word(& *fathom_p17); fathom_explain_touch(&fathom_site_7, fathom_word18); fathom_p17; }))); ((*__extension__ ({ __auto_type fathom_p21 = &(*(fathom_ptr *)fathom_place(fathom_static(fathom_at_head))); const fathom_ptr fathom_word22 = fathom_word(& *fathom_p21); fathom_explain_touch(&fathom_site_9, fathom_word22); fathom_p21; })) = n); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
