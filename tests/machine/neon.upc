/* The types of arm_neon.h in private and shared objects, and what C does with vectors and structs of them. */
#include <arm_neon.h>
#include <upc.h>

typedef struct {
    float32x4_t v;
    int tag;
} cell;
shared [4] float table[4 * THREADS];
shared cell cells[THREADS];
shared uint8x16x2_t pairs[THREADS];
_Static_assert(sizeof(int64x2x4_t) == 64 && _Alignof(int8x8x3_t) == 8 && sizeof(poly128_t) == 16, "their sizes");

static float32x4_t twice(float32x4_t v) { return v + v; }

int main(void) {
    float x[4] = {1, 2, 3, 4};
    float32x4_t v = vmulq_n_f32(twice(vld1q_f32(x)), 0.5f * (float)(MYTHREAD + 1));
    vst1q_f32((float *)&table[4 * MYTHREAD], v);
    cells[MYTHREAD] = (cell){v, MYTHREAD};
    uint8_t bytes[32];
    for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)i;
    pairs[MYTHREAD] = vld2q_u8(bytes);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    cell theirs = cells[next];
    uint8x16x2_t pair = pairs[next];
    float16x4_t half = vcvt_f16_f32(theirs.v);
    poly8x8_t bits = vcreate_p8(0x0102);
    int32x4_t i = {1, 2, 3, 4};
    if (theirs.tag != next || table[4 * next + 1] != 2.0f * (float)(next + 1) || vgetq_lane_f32(theirs.v, 2) != 3.0f * (float)(next + 1))
        return 1;
    if (pair.val[0][3] != 6 || vgetq_lane_u8(pair.val[1], 3) != 7 || vcvt_f32_f16(half)[1] != theirs.v[1]) return 2;
    if (vget_lane_p8(bits, 0) != 2 || vaddvq_s32(i * 2) != 20) return 3;
    return 0;
}
