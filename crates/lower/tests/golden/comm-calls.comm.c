
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
extern const struct fathom_computes fathom_computes_weight __attribute__((weak));
static void fathom_named_weight(void) __attribute__((weakref("weight")));
# 9 "<input>"
double sum(int n) {
    double s = 0; 
{ const long fathom_lo5 = (long)(int)(0), fathom_trips6 = (long)(n) - fathom_lo5; struct fathom_strip fathom_strip4; if (fathom_trips6 >= fathom_strips_from && (fathom_only_computes(&fathom_computes_weight, fathom_named_weight, 1) && (fathom_strip_begin(&fathom_strip4, fathom_trips6), fathom_strip_range(&fathom_strip4, fathom_static(fathom_at_v), 0ul, fathom_lo5 + 0l, 1ul, 8ul, 0l), fathom_strip_open(&fathom_strip4)))) { for (int i = 0; i < n; ) { unsigned long fathom_n7 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n7 = fathom_strip_next(&fathom_strip4, fathom_n7 + 1); __attribute__((unused)) const double *const fathom_landed9 = fathom_strip4.slot[0].at; unsigned long fathom_k8 = 0; for (; fathom_k8 < fathom_n7; fathom_k8++, i++) { s += fathom_landed9[fathom_k8] * more(i); } if (fathom_k8 < fathom_n7) break;  } } else { for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy2; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_v), (long)(i), 8ul)))), &fathom_copy2, sizeof fathom_copy2); }) * more(i); } } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

# 1 "<fathom>" 3
extern const struct fathom_computes fathom_computes_twice;
extern const struct fathom_computes fathom_computes_once;
extern __typeof__(twice) fathom_this_twice __attribute__((alias("twice"), weak, visibility("hidden")));
const struct fathom_computes fathom_computes_twice = {(void (*)(void))fathom_this_twice, 0, 0, 0};
extern __typeof__(once) fathom_this_once __attribute__((alias("once"), weak, visibility("hidden")));
static const struct fathom_called fathom_called_once[] = {{&fathom_computes_weight, fathom_named_weight}, {&fathom_computes_twice, (void (*)(void))twice}};
const struct fathom_computes fathom_computes_once = {(void (*)(void))fathom_this_once, fathom_called_once, 2, 0};
