/* EP, "embarrassingly parallel": pairs of Gaussian deviates from pairs of uniform ones, and how they are spread.
 *
 * 2^EP_LOG_PAIRS pairs (x, y), uniform in the square from -1 to 1, are tried. Those inside the unit circle become two
 * independent Gaussian deviates by the polar method. The result is the sum of each, and how many pairs have their
 * larger absolute value in [0, 1), [1, 2), ... The pairs come in batches, and any thread can start any batch, because
 * the sequence of random numbers can be entered anywhere (nas_skip).
 */
#include "nas.h"

#if NAS_CLASS == NAS_CLASS_S
#define EP_LOG_PAIRS 24
#define EP_SUM_X -3.247834652034740e3
#define EP_SUM_Y -6.958407078382297e3
#define EP_PAIRS 13176389 /* in the circle */
#elif NAS_CLASS == NAS_CLASS_W
#define EP_LOG_PAIRS 25
#define EP_SUM_X -2.863319731645753e3
#define EP_SUM_Y -6.320053679109499e3
#define EP_PAIRS 26354769
#else
#define EP_LOG_PAIRS 28
#define EP_SUM_X -4.295875165629892e3
#define EP_SUM_Y -1.580732573678431e4
#define EP_PAIRS 210832767
#endif

#define EP_SEED UINT64_C(271828183)
#define EP_BATCH 65536 /* pairs */
#define EP_BATCHES ((1L << EP_LOG_PAIRS) / EP_BATCH)
#define EP_RINGS 10

struct ep_sums {
    double x, y;
    long ring[EP_RINGS]; /* pairs whose larger absolute value lies in [i, i + 1) */
};

/* Adds batch k to the sums. */
static inline void ep_batch(struct ep_sums *sums, long k) {
    uint64_t seed = nas_skip(EP_SEED, 2 * EP_BATCH * (uint64_t)k);
    double sum_x = 0, sum_y = 0;
    for (int i = 0; i < EP_BATCH; i++) {
        double x = 2 * nas_random(&seed) - 1, y = 2 * nas_random(&seed) - 1, t = x * x + y * y;
        if (t > 1) continue;
        double factor = sqrt(-2 * log(t) / t);
        x *= factor;
        y *= factor;
        sum_x += x;
        sum_y += y;
        sums->ring[(int)fmax(fabs(x), fabs(y))]++;
    }
    sums->x += sum_x;
    sums->y += sum_y;
}

static inline void ep_add(struct ep_sums *to, const struct ep_sums *more) {
    to->x += more->x;
    to->y += more->y;
    for (int i = 0; i < EP_RINGS; i++) to->ring[i] += more->ring[i];
}

/* Prints the result and checks it; the program's status. */
static inline int ep_finish(const char *form, const struct ep_sums *sums, double seconds) {
    long pairs = 0;
    for (int i = 0; i < EP_RINGS; i++) pairs += sums->ring[i];
    printf("%ld of %ld pairs lie in the circle; by ring:", pairs, 1L << EP_LOG_PAIRS);
    for (int i = 0; i < EP_RINGS; i++) printf(" %ld", sums->ring[i]);
    printf("\n");
    int right = nas_check("sum of the x", sums->x, EP_SUM_X, 1e-8);
    right &= nas_check("sum of the y", sums->y, EP_SUM_Y, 1e-8);
    right &= nas_check("pairs in the circle", (double)pairs, EP_PAIRS, 0);
    return nas_report("EP", form, seconds, 2.0 * (1L << EP_LOG_PAIRS), right);
}
