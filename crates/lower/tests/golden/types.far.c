
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

int ints(int i) { (__extension__ ({ char fathom_v1 = i; const fathom_ptr fathom_at2 = fathom_place_word(&(*(char *)fathom_place(fathom_static(fathom_at_c)))); fathom_write(fathom_is_near(fathom_at2), fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); (__extension__ ({ unsigned short fathom_v6 = __extension__ ({ char fathom_copy4; *(char *)fathom_read(fathom_place_word(&(*(char *)fathom_place(fathom_static(fathom_at_c)))), &fathom_copy4, sizeof fathom_copy4); }); const fathom_ptr fathom_at7 = fathom_place_word(&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h)))); fathom_write(fathom_is_near(fathom_at7), fathom_at7, &fathom_v6, sizeof fathom_v6); fathom_v6; })); (__extension__ ({ _Bool fathom_v11 = __extension__ ({ unsigned short fathom_copy9; *(unsigned short *)fathom_read(fathom_place_word(&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h)))), &fathom_copy9, sizeof fathom_copy9); }); const fathom_ptr fathom_at12 = fathom_place_word(&(*(_Bool *)fathom_place(fathom_static(fathom_at_b)))); fathom_write(fathom_is_near(fathom_at12), fathom_at12, &fathom_v11, sizeof fathom_v11); fathom_v11; })); (__extension__ ({ enum colour fathom_v16 = __extension__ ({ _Bool fathom_copy14; *(_Bool *)fathom_read(fathom_place_word(&(*(_Bool *)fathom_place(fathom_static(fathom_at_b)))), &fathom_copy14, sizeof fathom_copy14); }) ? BLUE : RED; const fathom_ptr fathom_at17 = fathom_place_word(&(*(enum colour *)fathom_place(fathom_static(fathom_at_e)))); fathom_write(fathom_is_near(fathom_at17), fathom_at17, &fathom_v16, sizeof fathom_v16); fathom_v16; })); return __extension__ ({ char fathom_copy19; *(char *)fathom_read(fathom_place_word(&(*(char *)fathom_place(fathom_static(fathom_at_c)))), &fathom_copy19, sizeof fathom_copy19); }) + __extension__ ({ unsigned short fathom_copy22; *(unsigned short *)fathom_read(fathom_place_word(&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h)))), &fathom_copy22, sizeof fathom_copy22); }) + __extension__ ({ _Bool fathom_copy25; *(_Bool *)fathom_read(fathom_place_word(&(*(_Bool *)fathom_place(fathom_static(fathom_at_b)))), &fathom_copy25, sizeof fathom_copy25); }) + __extension__ ({ enum colour fathom_copy28; *(enum colour *)fathom_read(fathom_place_word(&(*(enum colour *)fathom_place(fathom_static(fathom_at_e)))), &fathom_copy28, sizeof fathom_copy28); }); } 
double reals(double d) { (__extension__ ({ float fathom_v30 = d; const fathom_ptr fathom_at31 = fathom_place_word(&(*(float *)fathom_place(fathom_static(fathom_at_f)))); fathom_write(fathom_is_near(fathom_at31), fathom_at31, &fathom_v30, sizeof fathom_v30); fathom_v30; })); (__extension__ ({ _Complex double fathom_v35 = __extension__ ({ float fathom_copy33; *(float *)fathom_read(fathom_place_word(&(*(float *)fathom_place(fathom_static(fathom_at_f)))), &fathom_copy33, sizeof fathom_copy33); }); const fathom_ptr fathom_at36 = fathom_place_word(&(*(_Complex double *)fathom_place(fathom_static(fathom_at_z)))); fathom_write(fathom_is_near(fathom_at36), fathom_at36, &fathom_v35, sizeof fathom_v35); fathom_v35; })); (__extension__ ({ long double fathom_v37 = d; const fathom_ptr fathom_at38 = fathom_place_word(&(*(long double *)fathom_place(fathom_static(fathom_at_w)))); fathom_write(fathom_is_near(fathom_at38), fathom_at38, &fathom_v37, sizeof fathom_v37); fathom_v37; })); (__extension__ ({ __auto_type fathom_r42 = +(__extension__ ({ float fathom_copy40; *(float *)fathom_read(fathom_place_word(&(*(float *)fathom_place(fathom_static(fathom_at_f)))), &fathom_copy40, sizeof fathom_copy40); })); const fathom_ptr fathom_at43 = fathom_place_word(&(*(char *)fathom_place(fathom_static(fathom_at_c)))); const int fathom_near47 = fathom_is_near(fathom_at43); char fathom_copy44; char *fathom_q45 = fathom_open(fathom_near47, fathom_at43, &fathom_copy44, 0, sizeof fathom_copy44); char fathom_v46 = ((*fathom_q45) += fathom_r42); fathom_close(fathom_near47, fathom_at43, fathom_q45, 0, sizeof fathom_copy44); fathom_v46; })); return __extension__ ({ float fathom_copy49; *(float *)fathom_read(fathom_place_word(&(*(float *)fathom_place(fathom_static(fathom_at_f)))), &fathom_copy49, sizeof fathom_copy49); }) + __extension__ ({ long double fathom_copy52; *(long double *)fathom_read(fathom_place_word(&(*(long double *)fathom_place(fathom_static(fathom_at_w)))), &fathom_copy52, sizeof fathom_copy52); }); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
