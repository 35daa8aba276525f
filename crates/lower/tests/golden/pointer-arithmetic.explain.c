
typedef unsigned long size_t;
/* Phased pointers of several block sizes. */
fathom_ptr a ; 
fathom_pptr b ; 
fathom_ptr c ; 
fathom_pptr d ; 
void step(int n) { __extension__ ({ fathom_ptr fathom_old1 = a; a = fathom_cyclic_add(fathom_old1, 1l, 4ul); fathom_old1; }); (b = fathom_block_add(b, (long)(n), 3ul, 4ul)); __extension__ ({ fathom_ptr fathom_old2 = c; c = fathom_flat_add(fathom_old2, -1l, 4ul); fathom_old2; }); (d = fathom_block_add(d, -((long)(n)), 4ul, 2ul)); } 
long distance(fathom_pptr to) { return fathom_block_diff(to, b, 3ul, 4ul); }
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=26\011function=look\011construct=read\011strict=false\011text=a[n]\011object=a\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=33\011function=look\011construct=read\011strict=false\011text=b[-n]\011object=b\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=3", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=41\011function=look\011construct=read\011strict=false\011text=*(c + n)\011object=c\011elem_bytes=4\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 2u, "file=<input>\011line=10\011column=52\011function=look\011construct=read\011strict=false\011text=*d++\011object=d\011elem_bytes=2\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=4", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 10 "<input>"
int look(int n) { return (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_cyclic_add(a, (long)(n), 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_0, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_word_of(fathom_block_add(b, (long)(-n), 3ul, 4ul)))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_1, fathom_word6); fathom_p5; })) + (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_flat_add(c, (long)(n), 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_2, fathom_word8); fathom_p7; })) + (*__extension__ ({ __auto_type fathom_p10 = &(*(short *)fathom_place(fathom_word_of(__extension__ ({ fathom_pptr fathom_old9 = d; d = fathom_block_add(fathom_old9, 1l, 4ul, 2ul); fathom_old9; })))); const fathom_ptr fathom_word11 = fathom_word(& *fathom_p10); fathom_explain_touch(&fathom_site_3, fathom_word11); fathom_p10; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
