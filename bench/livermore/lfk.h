/* The Livermore loops: what the four files of kernels, their data and the measuring program share.
 *
 * The kernels are those that F. H. McMahon described in "The Livermore Fortran Kernels: a computer test of the numerical
 * performance range" (UCRL-53745, 1986), written anew in C. Each file of kernels is compiled twice, with LFK_SIDE
 * giving its functions their prefix, so that one program can hold the code of two compilers and time them in turn.
 */
#ifndef LFK_H
#define LFK_H

#define LFK_JOIN2(a, b) a##b
#define LFK_JOIN(a, b) LFK_JOIN2(a, b)
#define KERNEL(n) void LFK_JOIN(LFK_SIDE, n)(void)

enum { LFK_KERNELS = 24, LFK_N = 1001 };

/* The arrays that the kernels work on: type, name, dimensions. */
/* clang-format off */
#define LFK_ARRAYS(X)                                                                                                  \
    /* vectors */                                                                                                      \
    X(double, x, [2048]) X(double, y, [2048]) X(double, z, [2048]) X(double, u, [2048]) X(double, v, [2048])           \
    X(double, w, [2048]) X(double, g, [1024]) X(double, xx, [1024]) X(double, vx, [1024]) X(double, sa, [128])         \
    X(double, sb, [128]) X(double, b5, [128]) X(double, vsp, [128]) X(double, vstp, [128]) X(double, vxne, [128])      \
    X(double, vxnd, [128]) X(double, ve3, [128]) X(double, vlr, [128]) X(double, vlin, [128]) X(double, grd, [1024])   \
    X(double, xi, [1024]) X(double, ex, [1024]) X(double, ex1, [1024]) X(double, dex, [1024]) X(double, dex1, [1024])  \
    X(double, rx, [1024]) X(double, rh, [2064]) X(double, d, [320]) X(double, plan, [320])                             \
    X(int, e, [128]) X(int, f, [128]) X(int, ix, [1024]) X(int, ir, [1024]) X(int, zone, [320])                        \
    /* matrices */                                                                                                     \
    X(double, b6, [64][64]) X(double, u1, [2][102][5]) X(double, u2, [2][102][5]) X(double, u3, [2][102][5])           \
    X(double, du1, [102]) X(double, du2, [102]) X(double, du3, [102]) X(double, px, [101][25])                         \
    X(double, cx, [101][25]) X(double, vy21, [25][25]) X(double, p, [64][4]) X(double, b13, [64][64])                  \
    X(double, c13, [64][64]) X(double, h, [128][128]) X(double, vy, [7][101]) X(double, vh, [7][101])                  \
    X(double, vf, [7][101]) X(double, vg, [7][101]) X(double, vs, [7][101]) X(double, za, [8][103])                    \
    X(double, zb, [8][103]) X(double, zm, [8][103]) X(double, zp, [8][103]) X(double, zq, [8][103])                    \
    X(double, zr, [8][103]) X(double, zu, [8][103]) X(double, zv, [8][103]) X(double, zz, [8][103])
/* clang-format on */

/* Every kernel works on these, whichever side it was compiled on; lfk_reset gives them their first values again. */
struct lfk_data {
#define LFK_MEMBER(type, name, dimensions) type name dimensions;
    LFK_ARRAYS(LFK_MEMBER)
    /* results that are not arrays */
    double q3, stb5, xnm;
    int k2, k3, m24;
};
extern struct lfk_data lfk;

/* The array with this name. shared.upc compares kernels on three kinds of arrays: those of `lfk`; shared ones in the
 * memory of thread 0, accessed as such (LFK_SHARED); and the same after a cast to a local pointer (LFK_CAST). LFK_IN
 * stands before the type that a pointer into an array points to. */
#if defined LFK_SHARED || defined LFK_CAST
#define LFK_EXTERN(type, name, dimensions) extern shared[] type shared_##name dimensions;
LFK_ARRAYS(LFK_EXTERN)
#endif
#ifdef LFK_SHARED
#define LFK(name) shared_##name
#define LFK_IN shared[]
#elif defined LFK_CAST
#define LFK(name) (*(__typeof__(lfk.name) *)shared_##name)
#define LFK_IN
#else
#define LFK(name) lfk.name
#define LFK_IN
#endif

void lfk_reset(void);
/* A sum over all of lfk that tells apart any two states that differ in a bit. */
unsigned long lfk_checksum(void);

struct lfk_kernel {
    const char *name;
    void (*cc)(void);     /* compiled by the C compiler */
    void (*fathom)(void); /* the same source through fathom cc */
};
extern const struct lfk_kernel lfk_kernels[LFK_KERNELS];

#endif
