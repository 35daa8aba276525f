
typedef unsigned long size_t;
/* Conversions of values on the way: small integers, floating point, _Bool, enumerations, complex. */
enum colour { RED, BLUE };
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak c\n\t.type c,@object\n\t.size c,1\nc:\t.zero 1\n\t.popsection");
# 5 "<input>"

extern char fathom_at_h[] __asm__("h") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 2\n\t.weak h\n\t.type h,@object\n\t.size h,2\nh:\t.zero 2\n\t.popsection");
# 5 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak b\n\t.type b,@object\n\t.size b,1\nb:\t.zero 1\n\t.popsection");
# 5 "<input>"

extern char fathom_at_e[] __asm__("e") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak e\n\t.type e,@object\n\t.size e,4\ne:\t.zero 4\n\t.popsection");
# 5 "<input>"

extern char fathom_at_f[] __asm__("f") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak f\n\t.type f,@object\n\t.size f,4\nf:\t.zero 4\n\t.popsection");
# 5 "<input>"

extern char fathom_at_z[] __asm__("z") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak z\n\t.type z,@object\n\t.size z,16\nz:\t.zero 16\n\t.popsection");
# 6 "<input>"

extern char fathom_at_w[] __asm__("w") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 16\n\t.weak w\n\t.type w,@object\n\t.size w,16\nw:\t.zero 16\n\t.popsection");
# 6 "<input>"

int ints(int i) { ((*(char *)fathom_place(fathom_static(fathom_at_c))) = i); ((*(unsigned short *)fathom_place(fathom_static(fathom_at_h))) = (*(char *)fathom_place(fathom_static(fathom_at_c)))); ((*(_Bool *)fathom_place(fathom_static(fathom_at_b))) = (*(unsigned short *)fathom_place(fathom_static(fathom_at_h)))); ((*(enum colour *)fathom_place(fathom_static(fathom_at_e))) = (*(_Bool *)fathom_place(fathom_static(fathom_at_b))) ? BLUE : RED); return (*(char *)fathom_place(fathom_static(fathom_at_c))) + (*(unsigned short *)fathom_place(fathom_static(fathom_at_h))) + (*(_Bool *)fathom_place(fathom_static(fathom_at_b))) + (*(enum colour *)fathom_place(fathom_static(fathom_at_e))); } 
double reals(double d) { ((*(float *)fathom_place(fathom_static(fathom_at_f))) = d); ((*(_Complex double *)fathom_place(fathom_static(fathom_at_z))) = (*(float *)fathom_place(fathom_static(fathom_at_f)))); ((*(long double *)fathom_place(fathom_static(fathom_at_w))) = d); ((*(char *)fathom_place(fathom_static(fathom_at_c))) += (*(float *)fathom_place(fathom_static(fathom_at_f)))); return (*(float *)fathom_place(fathom_static(fathom_at_f))) + (*(long double *)fathom_place(fathom_static(fathom_at_w))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
