
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

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "<input>\01112\0115\011f\011upc_memget\0110\011upc_memget(l, &a[4], 4 * sizeof *l)\011a\0114\0114\01116*T\0111\011call\011\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "<input>\01113\0115\011f\011upc_memput\0110\011upc_memput(&a[0], l, 16)\011a\0114\0114\01116*T\0111\011call\011\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\01114\0115\011f\011upc_memcpy\0110\011upc_memcpy(a, &a[8], sizeof(int))\011a\0114\0114\01116*T\0111\011call\011\011\011\0110", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 11 "<input>"
void f(int *l) { 
fathom_explain_fixed_upc_memget(&fathom_site_0, l, fathom_block_at(fathom_static(fathom_at_a), (long)(4), 4ul, 4ul), 4 * sizeof *l); 
fathom_explain_fixed_upc_memput(&fathom_site_1, fathom_block_at(fathom_static(fathom_at_a), (long)(0), 4ul, 4ul), l, 16); 
fathom_explain_fixed_upc_memcpy(&fathom_site_2, fathom_pptr_of(fathom_static(fathom_at_a), 0), fathom_block_at(fathom_static(fathom_at_a), (long)(8), 4ul, 4ul), sizeof(int));
} 
unsigned long g(fathom_pptr p) { return fathom_upc_threadof(p) + fathom_upc_phaseof(p) + fathom_upc_addrfield(p); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
