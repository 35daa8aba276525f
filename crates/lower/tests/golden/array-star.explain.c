
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=5\011column=27\011function=get\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 5 "<input>"
float get(int i) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=49\011function=clear\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=6\011block=16\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
void clear(int n) { { struct fathom_tally fathom_tally3_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; for (int i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p5 = &(*(float *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_tally(&fathom_tally3_at1, fathom_word6); fathom_p5; })) = 0); } } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
