
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t; 

void upc_memcpy(fathom_pptr, fathom_pptr, unsigned long) ; 
void upc_memget(void *, fathom_pptr, unsigned long) ; 
void upc_memput(fathom_pptr, const void *, unsigned long) ; 
unsigned long upc_threadof(fathom_pptr) ; 
unsigned long upc_phaseof(fathom_pptr) ; 
unsigned long upc_addrfield(fathom_pptr) ; 
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
# 10 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "file=<input>\011line=12\011column=5\011function=f\011construct=upc_memget\011strict=false\011text=upc_memget(l, &a[4], 4 * sizeof *l)\011object=a\011elem_bytes=4\011row=1\011form=call\011reason=none\011affinity=\011loop_line=0\011block=4\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "file=<input>\011line=13\011column=5\011function=f\011construct=upc_memput\011strict=false\011text=upc_memput(&a[0], l, 16)\011object=a\011elem_bytes=4\011row=1\011form=call\011reason=none\011affinity=\011loop_line=0\011block=4\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=14\011column=5\011function=f\011construct=upc_memcpy\011strict=false\011text=upc_memcpy(a, &a[8], sizeof(int))\011object=a\011elem_bytes=4\011row=1\011form=call\011reason=none\011affinity=\011loop_line=0\011block=4\011count=16\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 11 "<input>"
void f(int *l) { 
fathom_explain_fixed_upc_memget(&fathom_site_0, l, fathom_block_at(fathom_static(fathom_at_a), (long)(4), 4ul, 4ul), 4 * sizeof *l); 
fathom_explain_fixed_upc_memput(&fathom_site_1, fathom_block_at(fathom_static(fathom_at_a), (long)(0), 4ul, 4ul), l, 16); 
fathom_explain_fixed_upc_memcpy(&fathom_site_2, fathom_pptr_of(fathom_static(fathom_at_a), 0), fathom_block_at(fathom_static(fathom_at_a), (long)(8), 4ul, 4ul), sizeof(int));
} 
unsigned long g(fathom_pptr p) { return fathom_upc_threadof(p) + fathom_upc_phaseof(p) + fathom_upc_addrfield(p); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
