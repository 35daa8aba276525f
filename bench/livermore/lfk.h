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

/* Every kernel works on these, whichever side it was compiled on; lfk_reset gives them their first values again. */
struct lfk_data {
    /* vectors */
    double x[2048], y[2048], z[2048], u[2048], v[2048], w[2048];
    double g[1024], xx[1024], vx[1024], sa[128], sb[128], b5[128];
    double vsp[128], vstp[128], vxne[128], vxnd[128], ve3[128], vlr[128], vlin[128];
    double grd[1024], xi[1024], ex[1024], ex1[1024], dex[1024], dex1[1024], rx[1024], rh[2064];
    double d[320], plan[320];
    int e[128], f[128], ix[1024], ir[1024], zone[320];
    /* matrices */
    double b6[64][64];
    double u1[2][102][5], u2[2][102][5], u3[2][102][5], du1[102], du2[102], du3[102];
    double px[101][25], cx[101][25], vy21[25][25];
    double p[64][4], b13[64][64], c13[64][64], h[128][128];
    double vy[7][101], vh[7][101], vf[7][101], vg[7][101], vs[7][101];
    double za[8][103], zb[8][103], zm[8][103], zp[8][103], zq[8][103], zr[8][103], zu[8][103], zv[8][103], zz[8][103];
    /* results that are not arrays */
    double q3, stb5, xnm;
    int k2, k3, m24;
};
extern struct lfk_data lfk;

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
