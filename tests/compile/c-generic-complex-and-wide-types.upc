// _Generic, _Complex, __int128, extended floating types, vector types and the headers that define them.
#include <complex.h>
#include <tgmath.h>
#include <math.h>
#include <float.h>
#include <stdint.h>
#include <inttypes.h>
#include <immintrin.h>
typedef float v8 __attribute__((vector_size(32)));
typedef int v4i __attribute__((vector_size(16)));
shared double complex zc[THREADS];
shared float sf;
shared long double sld;
shared __int128 big;
#define NAME(x) _Generic((x), int: "int", float: "float", double: "double", char *: "char *", default: "other")
double f(double x, float y, double complex z) {
    v4i a = {1, 2, 3, 4}, b = a + a, c = a < b;
    v8 w = {0};
    w = w * 2 + y;
    unsigned __int128 u = (unsigned __int128)x << 64 | 1;
    __int128_t t = -u;
#ifdef __clang__
    __float128 q = 1.5;
#else
    _Float128 q = 1.5f128;
#endif
    __float128 r = q;
    z = z * I + x * I - 2.0i;
    zc[MYTHREAD] = z;
    double complex back = zc[0];
    x = sin(x) + sqrt(y) + cabs(z) + creal(back) + fabs(z) + pow(x, 2) + sf + (double)sld;
    big = t;
    b[1] = c[2];
    __m128d d = _mm_set1_pd(x), e = _mm_add_pd(d, d);
    return x + (double)r + (double)(uint64_t)u + w[3] + b[1] + NAME(x)[0] + NAME(sf)[0] + _mm_cvtsd_f64(e) + d[0];
}
int choose(shared int *p, int *q) {
    return _Generic(p, shared int *: 1, int *: 2) + _Generic(q, shared int *: 1, int *: 2) + _Generic(*p, int: 1, default: 0);
}
