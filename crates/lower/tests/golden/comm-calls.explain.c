
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_v[] __asm__("v") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak v\n\t.type v,@object\n\t.size v,80\nv:\t.zero 80\n\t.popsection");
# 4 "<input>"

long weight(long i);
static long more(long i) { return weight(i) + 1; }
long twice(long i) { return 2 * i; }
long once(long i) { return twice(more(i)) / 2; }
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=38\011function=sum\011construct=read\011strict=false\011text=v[i]\011object=v\011elem_bytes=8\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=11\011block=1\011count=10\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 9 "<input>"
double sum(int n) {
    double s = 0; 
for (int i = 0; i < n; i++) s += (*__extension__ ({ __auto_type fathom_p2 = &(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_v), (long)(i), 8ul))); const fathom_ptr fathom_word3 = fathom_word(& *fathom_p2); fathom_explain_touch(&fathom_site_0, fathom_word3); fathom_p2; })) * more(i);
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
