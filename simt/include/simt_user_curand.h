/* simt_user_curand.h - cuRAND's device functions for Philox4x32-10 (J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011) and
 * XORWOW: the same numbers for the same seed, sequence and offset. Uniform numbers have the same bits, normal ones are within what the
 * logarithm and the sine of a device may be off by. A state in memory is read and written by the user. */
#ifndef SIMT_USER_CURAND_H
#define SIMT_USER_CURAND_H
#include "cuda_runtime.h"
#include "device_random.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag;
  float boxmuller_extra;
};
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag;
  float boxmuller_extra;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

/* ---- Philox ---- */
namespace simt {

SIMT_INLINE uint4 philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; round++) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b), static_cast<unsigned>(a >> 32) ^ c.w ^ k.y,
                   static_cast<unsigned>(a));
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}

/* A counter of 128 bits. */
SIMT_INLINE void count_on(uint4 &c, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(c.y) << 32 | c.x) + n;
  const unsigned long long high = (static_cast<unsigned long long>(c.w) << 32 | c.z) + (low < n);
  c = make_uint4(static_cast<unsigned>(low), static_cast<unsigned>(low >> 32), static_cast<unsigned>(high), static_cast<unsigned>(high >> 32));
}

SIMT_INLINE unsigned word_of(const uint4 &v, unsigned i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

} // namespace simt

SIMT_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s) {
  s->STATE += static_cast<unsigned>(n & 3);
  simt::count_on(s->ctr, n / 4 + (s->STATE > 3));
  s->STATE &= 3;
  s->output = simt::philox(s->ctr, s->key);
}
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s) {
  const unsigned long long high = (static_cast<unsigned long long>(s->ctr.w) << 32 | s->ctr.z) + n;
  s->ctr.z = static_cast<unsigned>(high);
  s->ctr.w = static_cast<unsigned>(high >> 32);
  s->output = simt::philox(s->ctr, s->key);
}
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10_t *s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  s->STATE = 0;
  s->boxmuller_flag = 0;
  s->boxmuller_extra = 0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}
SIMT_INLINE unsigned curand(curandStatePhilox4_32_10_t *s) {
  const unsigned r = simt::word_of(s->output, s->STATE++);
  if (s->STATE == 4) {
    simt::count_on(s->ctr, 1);
    s->output = simt::philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return r;
}
SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10_t *s) {
  const uint4 first = s->output;
  simt::count_on(s->ctr, 1);
  s->output = simt::philox(s->ctr, s->key);
  unsigned r[4];
  for (unsigned i = 0; i < 4; i++) r[i] = s->STATE + i < 4 ? simt::word_of(first, s->STATE + i) : simt::word_of(s->output, s->STATE + i - 4);
  return make_uint4(r[0], r[1], r[2], r[3]);
}

/* ---- XORWOW ---- */
SIMT_INLINE void skipahead(unsigned long long n, curandStateXORWOW_t *s) {
  unsigned v[5];
  for (int i = 0; i < 5; i++) v[i] = s->v[i];
  simt_xorwow_jump(v, 0, n);
  for (int i = 0; i < 5; i++) s->v[i] = v[i];
  s->d += 362437u * static_cast<unsigned>(n);
}
SIMT_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s) {
  unsigned v[5];
  for (int i = 0; i < 5; i++) v[i] = s->v[i];
  simt_xorwow_jump(v, n, 0);
  for (int i = 0; i < 5; i++) s->v[i] = v[i];
}
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW_t *s) {
  const unsigned a = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned b = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  unsigned v[5] = {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a};
  simt_xorwow_jump(v, sequence, offset);
  for (int i = 0; i < 5; i++) s->v[i] = v[i];
  s->d = 6615241u + b + a + 362437u * static_cast<unsigned>(offset);
  s->boxmuller_flag = 0;
  s->boxmuller_extra = 0;
}
SIMT_INLINE unsigned curand(curandStateXORWOW_t *s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2;
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
  s->d += 362437u;
  return s->v[4] + s->d;
}

/* ---- distributions ---- */
namespace simt {

/* In (0, 1]. */
SIMT_INLINE float uniform(unsigned x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
SIMT_INLINE double uniform_double(unsigned x, unsigned y) {
  return static_cast<double>(static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}
/* Two normal numbers: G. Box, M. Muller, A Note on the Generation of Random Normal Deviates, 1958. */
SIMT_INLINE float2 box_muller(unsigned x, unsigned y) {
  const float turn = 0x1p-32f * 6.2831855f, u = uniform(x), v = static_cast<float>(y) * turn + turn / 2;
  const float r = sqrtf(-2.0f * logf(u));
  return make_float2(r * sinf(v), r * cosf(v));
}

} // namespace simt

#define SIMT_CURAND(State)                                                                                             \
  SIMT_INLINE float curand_uniform(State *s) { return simt::uniform(curand(s)); }                                      \
  SIMT_INLINE float2 curand_normal2(State *s) {                                                                        \
    const unsigned x = curand(s), y = curand(s);                                                                       \
    return simt::box_muller(x, y);                                                                                     \
  }                                                                                                                    \
  SIMT_INLINE float curand_normal(State *s) {                                                                          \
    if (s->boxmuller_flag) {                                                                                           \
      s->boxmuller_flag = 0;                                                                                           \
      return s->boxmuller_extra;                                                                                       \
    }                                                                                                                  \
    const float2 two = curand_normal2(s);                                                                              \
    s->boxmuller_extra = two.y;                                                                                        \
    s->boxmuller_flag = 1;                                                                                             \
    return two.x;                                                                                                      \
  }                                                                                                                    \
  SIMT_INLINE float curand_log_normal(State *s, float mean, float deviation) {                                         \
    return expf(mean + deviation * curand_normal(s));                                                                  \
  }
SIMT_CURAND(curandStatePhilox4_32_10_t)
SIMT_CURAND(curandStateXORWOW_t)
#undef SIMT_CURAND

SIMT_INLINE double curand_uniform_double(curandStateXORWOW_t *s) {
  const unsigned x = curand(s), y = curand(s);
  return simt::uniform_double(x, y);
}
SIMT_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t *s) { return static_cast<double>(curand(s)) * 0x1p-32 + 0x1p-32; }
SIMT_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s) {
  const uint4 r = curand4(s);
  return make_double2(simt::uniform_double(r.x, r.y), simt::uniform_double(r.z, r.w));
}
SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t *s) {
  const uint4 r = curand4(s);
  return make_float4(simt::uniform(r.x), simt::uniform(r.y), simt::uniform(r.z), simt::uniform(r.w));
}
SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t *s) {
  const uint4 r = curand4(s);
  const float2 a = simt::box_muller(r.x, r.y), b = simt::box_muller(r.z, r.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

#endif
