
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

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01119\011ints\011write\0110\011c\011c\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_c};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01130\011ints\011read\0110\011c\011c\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_c};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 2u, "<input>\0117\01126\011ints\011write\0110\011h\011h\0111\0112\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_h};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 2u, "<input>\0117\01137\011ints\011read\0110\011h\011h\0111\0112\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_h};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01133\011ints\011write\0110\011b\011b\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_b};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01144\011ints\011read\0110\011b\011b\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_b};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01140\011ints\011write\0110\011e\011e\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_e};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
static struct fathom_site fathom_site_7 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01167\011ints\011read\0110\011c\011c\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_c};
static struct fathom_site *const fathom_site_7_at __attribute__((section("fathom_sites"), used)) = &fathom_site_7;
static struct fathom_site fathom_site_8 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 2u, "<input>\0117\01171\011ints\011read\0110\011h\011h\0111\0112\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_h};
static struct fathom_site *const fathom_site_8_at __attribute__((section("fathom_sites"), used)) = &fathom_site_8;
static struct fathom_site fathom_site_9 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01175\011ints\011read\0110\011b\011b\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_b};
static struct fathom_site *const fathom_site_9_at __attribute__((section("fathom_sites"), used)) = &fathom_site_9;
static struct fathom_site fathom_site_10 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01179\011ints\011read\0110\011e\011e\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_e};
static struct fathom_site *const fathom_site_10_at __attribute__((section("fathom_sites"), used)) = &fathom_site_10;
# 7 "<input>"
int ints(int i) { ((*__extension__ ({ __auto_type fathom_p1 = &(*(char *)fathom_place(fathom_static(fathom_at_c))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) = i); ((*__extension__ ({ __auto_type fathom_p5 = &(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) = (*__extension__ ({ __auto_type fathom_p3 = &(*(char *)fathom_place(fathom_static(fathom_at_c))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; }))); ((*__extension__ ({ __auto_type fathom_p9 = &(*(_Bool *)fathom_place(fathom_static(fathom_at_b))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; })) = (*__extension__ ({ __auto_type fathom_p7 = &(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; }))); ((*__extension__ ({ __auto_type fathom_p13 = &(*(enum colour *)fathom_place(fathom_static(fathom_at_e))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_6, fathom_word14); fathom_p13; })) = (*__extension__ ({ __auto_type fathom_p11 = &(*(_Bool *)fathom_place(fathom_static(fathom_at_b))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_5, fathom_word12); fathom_p11; })) ? BLUE : RED); return (*__extension__ ({ __auto_type fathom_p15 = &(*(char *)fathom_place(fathom_static(fathom_at_c))); const fathom_ptr fathom_word16 = fathom_word(& *fathom_p15); fathom_explain_touch(&fathom_site_7, fathom_word16); fathom_p15; })) + (*__extension__ ({ __auto_type fathom_p17 = &(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))); const fathom_ptr fathom_word18 = fathom_word(& *fathom_p17); fathom_explain_touch(&fathom_site_8, fathom_word18); fathom_p17; })) + (*__extension__ ({ __auto_type fathom_p19 = &(*(_Bool *)fathom_place(fathom_static(fathom_at_b))); const fathom_ptr fathom_word20 = fathom_word(& *fathom_p19); fathom_explain_touch(&fathom_site_9, fathom_word20); fathom_p19; })) + (*__extension__ ({ __auto_type fathom_p21 = &(*(enum colour *)fathom_place(fathom_static(fathom_at_e))); const fathom_ptr fathom_word22 = fathom_word(& *fathom_p21); fathom_explain_touch(&fathom_site_10, fathom_word22); fathom_p21; })); }
static struct fathom_site fathom_site_11 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01126\011reals\011write\0110\011f\011f\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_f};
static struct fathom_site *const fathom_site_11_at __attribute__((section("fathom_sites"), used)) = &fathom_site_11;
static struct fathom_site fathom_site_12 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01137\011reals\011read\0110\011f\011f\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_f};
static struct fathom_site *const fathom_site_12_at __attribute__((section("fathom_sites"), used)) = &fathom_site_12;
static struct fathom_site fathom_site_13 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "<input>\0118\01133\011reals\011write\0110\011z\011z\0111\01116\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_z};
static struct fathom_site *const fathom_site_13_at __attribute__((section("fathom_sites"), used)) = &fathom_site_13;
static struct fathom_site fathom_site_14 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "<input>\0118\01140\011reals\011write\0110\011w\011w\0111\01116\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_w};
static struct fathom_site *const fathom_site_14_at __attribute__((section("fathom_sites"), used)) = &fathom_site_14;
static struct fathom_site fathom_site_15 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01152\011reals\011read\0110\011f\011f\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_f};
static struct fathom_site *const fathom_site_15_at __attribute__((section("fathom_sites"), used)) = &fathom_site_15;
static struct fathom_site fathom_site_16 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0118\01147\011reals\011update\0110\011c\011c\0111\0111\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_c};
static struct fathom_site *const fathom_site_16_at __attribute__((section("fathom_sites"), used)) = &fathom_site_16;
static struct fathom_site fathom_site_17 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01162\011reals\011read\0110\011f\011f\0111\0114\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_f};
static struct fathom_site *const fathom_site_17_at __attribute__((section("fathom_sites"), used)) = &fathom_site_17;
static struct fathom_site fathom_site_18 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 16u, "<input>\0118\01166\011reals\011read\0110\011w\011w\0111\01116\011\0110\011address, load/store\011not in a loop\011\011\0110", fathom_at_w};
static struct fathom_site *const fathom_site_18_at __attribute__((section("fathom_sites"), used)) = &fathom_site_18;
# 8 "<input>"
double reals(double d) { ((*__extension__ ({ __auto_type fathom_p23 = &(*(float *)fathom_place(fathom_static(fathom_at_f))); const fathom_ptr fathom_word24 = fathom_word(& *fathom_p23); fathom_explain_touch(&fathom_site_11, fathom_word24); fathom_p23; })) = d); ((*__extension__ ({ __auto_type fathom_p27 = &(*(_Complex double *)fathom_place(fathom_static(fathom_at_z))); const fathom_ptr fathom_word28 = fathom_word(& *fathom_p27); fathom_explain_touch(&fathom_site_13, fathom_word28); fathom_p27; })) = (*__extension__ ({ __auto_type fathom_p25 = &(*(float *)fathom_place(fathom_static(fathom_at_f))); const fathom_ptr fathom_word26 = fathom_word(& *fathom_p25); fathom_explain_touch(&fathom_site_12, fathom_word26); fathom_p25; }))); ((*__extension__ ({ __auto_type fathom_p29 = &(*(long double *)fathom_place(fathom_static(fathom_at_w))); const fathom_ptr fathom_word30 = fathom_word(& *fathom_p29); fathom_explain_touch(&fathom_site_14, fathom_word30); fathom_p29; })) = d); ((*__extension__ ({ __auto_type fathom_p33 = &(*(char *)fathom_place(fathom_static(fathom_at_c))); const fathom_ptr fathom_word34 = fathom_word(& *fathom_p33); fathom_explain_touch(&fathom_site_16, fathom_word34); fathom_p33; })) += (*__extension__ ({ __auto_type fathom_p31 = &(*(float *)fathom_place(fathom_static(fathom_at_f))); const fathom_ptr fathom_word32 = fathom_word(& *fathom_p31); fathom_explain_touch(&fathom_site_15, fathom_word32); fathom_p31; }))); return (*__extension__ ({ __auto_type fathom_p35 = &(*(float *)fathom_place(fathom_static(fathom_at_f))); const fathom_ptr fathom_word36 = fathom_word(& *fathom_p35); fathom_explain_touch(&fathom_site_17, fathom_word36); fathom_p35; })) + (*__extension__ ({ __auto_type fathom_p37 = &(*(long double *)fathom_place(fathom_static(fathom_at_w))); const fathom_ptr fathom_word38 = fathom_word(& *fathom_p37); fathom_explain_touch(&fathom_site_18, fathom_word38); fathom_p37; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
