
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
double sum(int n) {
    double s = 0; 
for (int i = 0; i < n; i++) s += (*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_v), (long)(i), 8ul))) * more(i);
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
