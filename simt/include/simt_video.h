/* simt_video.h - the SIMD video intrinsics: two lanes of 16 bits or four of 8 in a word. CUDA Math API, SIMD Intrinsics. */
#ifndef SIMT_VIDEO_H
#define SIMT_VIDEO_H
#include "simt_engine.h"

namespace simt {

/* Lane i of a word with `bits` bits each, as a number; the low bits of one put back. */
template <int Bits, bool Signed> SIMT_INLINE int video_lane(unsigned v, int i) {
  const unsigned lane = v >> i * Bits & ((1u << Bits) - 1);
  return Signed && lane >> (Bits - 1) ? static_cast<int>(lane) - (1 << Bits) : static_cast<int>(lane);
}
template <int Bits, bool Signed> SIMT_INLINE int video_clamp(int v) {
  const int low = Signed ? -(1 << (Bits - 1)) : 0, high = low + (1 << Bits) - 1;
  return v < low ? low : v > high ? high : v;
}
template <int Bits, bool Signed, class F> SIMT_INLINE unsigned video(unsigned a, unsigned b, F f) {
  unsigned r = 0;
  for (int i = 0; i < 32 / Bits; i++)
    r |= (static_cast<unsigned>(f(video_lane<Bits, Signed>(a, i), video_lane<Bits, Signed>(b, i))) & ((1u << Bits) - 1)) << i * Bits;
  return r;
}
template <int Bits, bool Signed> SIMT_INLINE unsigned video_sad(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < 32 / Bits; i++) {
    const int x = video_lane<Bits, Signed>(a, i), y = video_lane<Bits, Signed>(b, i);
    sum += static_cast<unsigned>(x < y ? y - x : x - y);
  }
  return sum;
}

} // namespace simt

#define SIMT_VIDEO2(name, n, bits, is_signed, of_x_y)                                                                  \
  SIMT_INLINE unsigned name##n(unsigned a, unsigned b) {                                                               \
    return simt::video<bits, is_signed>(a, b, [](int x, int y) __attribute__((always_inline)) -> int { return of_x_y; }); \
  }
#define SIMT_VIDEO1(name, n, bits, is_signed, of_x)                                                                    \
  SIMT_INLINE unsigned name##n(unsigned a) {                                                                           \
    return simt::video<bits, is_signed>(a, a, [](int x, int) __attribute__((always_inline)) -> int { return of_x; });  \
  }
#define SIMT_VIDEO_COMPARE(name, n, bits, is_signed, op)                                                               \
  SIMT_VIDEO2(__vcmp##name, n, bits, is_signed, x op y ? -1 : 0)                                                       \
  SIMT_VIDEO2(__vset##name, n, bits, is_signed, x op y ? 1 : 0)
#define SIMT_VIDEO(n, bits)                                                                                            \
  SIMT_VIDEO2(__vadd, n, bits, false, x + y)                                                                           \
  SIMT_VIDEO2(__vsub, n, bits, false, x - y)                                                                           \
  SIMT_VIDEO2(__vaddss, n, bits, true, (simt::video_clamp<bits, true>(x + y)))                                         \
  SIMT_VIDEO2(__vaddus, n, bits, false, (simt::video_clamp<bits, false>(x + y)))                                       \
  SIMT_VIDEO2(__vsubss, n, bits, true, (simt::video_clamp<bits, true>(x - y)))                                         \
  SIMT_VIDEO2(__vsubus, n, bits, false, (simt::video_clamp<bits, false>(x - y)))                                       \
  SIMT_VIDEO2(__vavgs, n, bits, true, (x + y + 1 - (x + y < 0)) >> 1)                                                  \
  SIMT_VIDEO2(__vavgu, n, bits, false, (x + y + 1) >> 1)                                                               \
  SIMT_VIDEO2(__vhaddu, n, bits, false, (x + y) >> 1)                                                                  \
  SIMT_VIDEO2(__vabsdiffs, n, bits, true, x < y ? y - x : x - y)                                                       \
  SIMT_VIDEO2(__vabsdiffu, n, bits, false, x < y ? y - x : x - y)                                                      \
  SIMT_VIDEO2(__vmaxs, n, bits, true, x < y ? y : x)                                                                   \
  SIMT_VIDEO2(__vmaxu, n, bits, false, x < y ? y : x)                                                                  \
  SIMT_VIDEO2(__vmins, n, bits, true, y < x ? y : x)                                                                   \
  SIMT_VIDEO2(__vminu, n, bits, false, y < x ? y : x)                                                                  \
  SIMT_VIDEO1(__vabs, n, bits, true, x < 0 ? -x : x)                                                                   \
  SIMT_VIDEO1(__vabsss, n, bits, true, (simt::video_clamp<bits, true>(x < 0 ? -x : x)))                                \
  SIMT_VIDEO1(__vneg, n, bits, true, -x)                                                                               \
  SIMT_VIDEO1(__vnegss, n, bits, true, (simt::video_clamp<bits, true>(-x)))                                            \
  SIMT_VIDEO_COMPARE(eq, n, bits, false, ==)                                                                           \
  SIMT_VIDEO_COMPARE(ne, n, bits, false, !=)                                                                           \
  SIMT_VIDEO_COMPARE(gts, n, bits, true, >)                                                                            \
  SIMT_VIDEO_COMPARE(gtu, n, bits, false, >)                                                                           \
  SIMT_VIDEO_COMPARE(ges, n, bits, true, >=)                                                                           \
  SIMT_VIDEO_COMPARE(geu, n, bits, false, >=)                                                                          \
  SIMT_VIDEO_COMPARE(lts, n, bits, true, <)                                                                            \
  SIMT_VIDEO_COMPARE(ltu, n, bits, false, <)                                                                           \
  SIMT_VIDEO_COMPARE(les, n, bits, true, <=)                                                                           \
  SIMT_VIDEO_COMPARE(leu, n, bits, false, <=)                                                                          \
  SIMT_INLINE unsigned __vsads##n(unsigned a, unsigned b) { return simt::video_sad<bits, true>(a, b); }                \
  SIMT_INLINE unsigned __vsadu##n(unsigned a, unsigned b) { return simt::video_sad<bits, false>(a, b); }
SIMT_VIDEO(2, 16)
SIMT_VIDEO(4, 8)
#undef SIMT_VIDEO
#undef SIMT_VIDEO1
#undef SIMT_VIDEO2
#undef SIMT_VIDEO_COMPARE

#endif
