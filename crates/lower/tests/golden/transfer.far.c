
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

void f(int *l) { 
fathom_upc_memget(l, fathom_block_at(fathom_static(fathom_at_a), (long)(4), 4ul, 4ul), 4 * sizeof *l); 
fathom_upc_memput(fathom_block_at(fathom_static(fathom_at_a), (long)(0), 4ul, 4ul), l, 16); 
fathom_upc_memcpy(fathom_pptr_of(fathom_static(fathom_at_a), 0), fathom_block_at(fathom_static(fathom_at_a), (long)(8), 4ul, 4ul), sizeof(int));
} 
unsigned long g(fathom_pptr p) { return fathom_upc_threadof(p) + fathom_upc_phaseof(p) + fathom_upc_addrfield(p); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
