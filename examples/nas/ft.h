/* FT, "Fourier transform": a diffusion equation in a periodic box, solved in Fourier space. Random numbers are
 * transformed once; in each of FT_ITERATIONS time steps every Fourier coefficient shrinks by a factor of its own, and
 * the result is transformed back, for a checksum.
 *
 * A transform in three dimensions is one along each of them: of many lines. Arrays in space are ordered by z, y, x;
 * arrays of Fourier coefficients by y, z, x. So the transforms along x and y stay within a plane of the one, those
 * along z within a plane of the other, and only rows along x travel between the two.
 */
#include "nas.h"

#if NAS_CLASS == NAS_CLASS_S
#define FT_NX 64
#define FT_NY 64
#define FT_NZ 64
#elif NAS_CLASS == NAS_CLASS_W
#define FT_NX 128
#define FT_NY 128
#define FT_NZ 32
#else
#define FT_NX 256
#define FT_NY 256
#define FT_NZ 128
#endif
#define FT_POINTS ((double)FT_NX * FT_NY * FT_NZ)
#define FT_ITERATIONS 6
#define FT_LINES 16 /* transformed together */
#define FT_PI 3.14159265358979323846

typedef struct {
    double re, im;
} ft_complex;

static const ft_complex ft_official[FT_ITERATIONS] = {
#if NAS_CLASS == NAS_CLASS_S
    {5.546087004964e+02, 4.845363331978e+02}, {5.546385409189e+02, 4.865304269511e+02},
    {5.546148406171e+02, 4.883910722336e+02}, {5.545423607415e+02, 4.901273169046e+02},
    {5.544255039624e+02, 4.917475857993e+02}, {5.542683411902e+02, 4.932597244941e+02},
#elif NAS_CLASS == NAS_CLASS_W
    {5.673612178944e+02, 5.293246849175e+02}, {5.631436885271e+02, 5.282149986629e+02},
    {5.594024089970e+02, 5.270996558037e+02}, {5.560698047020e+02, 5.260027904925e+02},
    {5.530898991250e+02, 5.249400845633e+02}, {5.504159734538e+02, 5.239212247086e+02},
#else
    {5.046735008193e+02, 5.114047905510e+02}, {5.059412319734e+02, 5.098809666433e+02},
    {5.069376896287e+02, 5.098144042213e+02}, {5.077892868474e+02, 5.101336130759e+02},
    {5.085233095391e+02, 5.104914655194e+02}, {5.091487099959e+02, 5.107917842803e+02},
#endif
};

/* Filled by ft_prepare. FT_NX is the longest line in all classes. */
static ft_complex ft_root[FT_NX]; /* exp(-2 pi i k / FT_NX) */
static double ft_shrink_x[FT_NX], ft_shrink_y[FT_NY], ft_shrink_z[FT_NZ];

/* The factor of one time step for each frequency along one direction: that of (x, y, z) is the product of three. */
static inline void ft_prepare_shrink(double *factor, int n) {
    for (int k = 0; k < n; k++) {
        double frequency = k < n / 2 ? k : k - n;
        factor[k] = exp(-4e-6 * FT_PI * FT_PI * frequency * frequency);
    }
}

static inline void ft_prepare(void) {
    for (int k = 0; k < FT_NX; k++) {
        ft_root[k].re = cos(2 * FT_PI * k / FT_NX);
        ft_root[k].im = -sin(2 * FT_PI * k / FT_NX);
    }
    ft_prepare_shrink(ft_shrink_x, FT_NX);
    ft_prepare_shrink(ft_shrink_y, FT_NY);
    ft_prepare_shrink(ft_shrink_z, FT_NZ);
}

/* FT_LINES lines, transformed together: element k of line l is re[k][l] + i im[k][l]. */
struct ft_lines {
    double re[FT_NX][FT_LINES], im[FT_NX][FT_LINES];
};

/* One step of ft_transform: from `in` to `out`. Blocks of `count` numbers are combined in pairs. */
static inline void ft_step(struct ft_lines *restrict out, const struct ft_lines *restrict in, int n, int s,
                           double sign) {
    int half = n / s / 2, count = s * FT_LINES;
    for (int p = 0; p < half; p++) {
        double w_re = ft_root[p * s * (FT_NX / n)].re, w_im = sign * ft_root[p * s * (FT_NX / n)].im;
        const double *a_re = in->re[s * p], *b_re = in->re[s * (p + half)];
        const double *a_im = in->im[s * p], *b_im = in->im[s * (p + half)];
        double *sum_re = out->re[s * 2 * p], *product_re = out->re[s * (2 * p + 1)];
        double *sum_im = out->im[s * 2 * p], *product_im = out->im[s * (2 * p + 1)];
        for (int i = 0; i < count; i++) {
            double re = a_re[i] - b_re[i], im = a_im[i] - b_im[i];
            sum_re[i] = a_re[i] + b_re[i];
            sum_im[i] = a_im[i] + b_im[i];
            product_re[i] = re * w_re - im * w_im;
            product_im[i] = re * w_im + im * w_re;
        }
    }
}

/* Fourier transforms of lines of n elements, n a power of two: sign 1 is forward, -1 backward. This is Stockham's
 * algorithm, which needs a second array, and no reordering. The result is in one of the two, which is returned. */
static inline struct ft_lines *ft_transform(struct ft_lines *lines, struct ft_lines *other, int n, int sign) {
    for (int s = 1; s < n; s *= 2) {
        ft_step(other, lines, n, s, sign);
        struct ft_lines *swap = lines;
        lines = other;
        other = swap;
    }
    return lines;
}

/* Transforms FT_LINES lines in place: element k of line l is data[k * step + l * line_step]. */
static inline void ft_transform_at(ft_complex *data, int n, long step, long line_step, int sign) {
    struct ft_lines work[2];
    for (int k = 0; k < n; k++)
        for (int l = 0; l < FT_LINES; l++) {
            work[0].re[k][l] = data[k * step + l * line_step].re;
            work[0].im[k][l] = data[k * step + l * line_step].im;
        }
    struct ft_lines *result = ft_transform(&work[0], &work[1], n, sign);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < FT_LINES; l++) {
            data[k * step + l * line_step].re = result->re[k][l];
            data[k * step + l * line_step].im = result->im[k][l];
        }
}

/* Transforms a plane in space along x and y. */
static inline void ft_transform_xy(ft_complex *plane, int sign) {
    for (int y = 0; y < FT_NY; y += FT_LINES) ft_transform_at(&plane[y * FT_NX], FT_NX, 1, FT_NX, sign);
    for (int x = 0; x < FT_NX; x += FT_LINES) ft_transform_at(&plane[x], FT_NY, FT_NX, 1, sign);
}

/* Transforms a plane of Fourier coefficients, or what shall become one, along z. */
static inline void ft_transform_z(ft_complex *plane, int sign) {
    for (int x = 0; x < FT_NX; x += FT_LINES) ft_transform_at(&plane[x], FT_NZ, FT_NX, 1, sign);
}

/* One time step for the coefficients of one y; a copy of the new ones is in `copy`. */
static inline void ft_evolve(ft_complex *restrict copy, ft_complex *restrict plane, int y) {
    for (int z = 0; z < FT_NZ; z++)
        for (int x = 0; x < FT_NX; x++) {
            double factor = ft_shrink_y[y] * ft_shrink_z[z] * ft_shrink_x[x];
            plane[z * FT_NX + x].re *= factor;
            plane[z * FT_NX + x].im *= factor;
            copy[z * FT_NX + x] = plane[z * FT_NX + x];
        }
}

/* The random numbers that plane z starts with. */
static inline void ft_start_plane(ft_complex *plane, int z) {
    uint64_t seed = nas_skip(UINT64_C(314159265), 2 * (uint64_t)z * FT_NY * FT_NX);
    for (int i = 0; i < FT_NY * FT_NX; i++) {
        plane[i].re = nas_random(&seed);
        plane[i].im = nas_random(&seed);
    }
}

static inline int ft_finish(const char *form, const ft_complex *checksums, double seconds) {
    int right = 1;
    for (int i = 0; i < FT_ITERATIONS; i++) {
        ft_complex sum = checksums[i], expected = ft_official[i];
        double error = hypot(sum.re - expected.re, sum.im - expected.im) / hypot(expected.re, expected.im);
        int good = error <= 1e-12;
        const char *verdict = good ? "" : "  WRONG";
        printf("checksum %d %20.12e %20.12e (relative error %.1e)%s\n", i + 1, sum.re, sum.im, error, verdict);
        right &= good;
    }
    double log_points = log(FT_POINTS);
    double operations = 14.8157 + 7.19641 * log_points + FT_ITERATIONS * (5.23518 + 7.21113 * log_points);
    return nas_report("FT", form, seconds, FT_POINTS * operations, right);
}
