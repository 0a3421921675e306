/* simt_shuffle.h - warp shuffles, for the types CUDA has them for. Narrower integers promote, as they do there. */
#ifndef SIMT_SHUFFLE_H
#define SIMT_SHUFFLE_H
#include "simt_engine.h"

namespace simt {

template <class T> SIMT_INLINE T shuffle(int mode, unsigned mask, T v, unsigned arg, int width) {
  return from_bits<T>(simt_op_shfl(mode, mask, to_bits(v), arg, static_cast<unsigned>(width), nullptr));
}

} // namespace simt

/* One direction for one type: the form with a mask, and the older one, among the lanes in lock step. */
#define SIMT_SHUFFLE1(name, T, Arg, mode)                                                                              \
  SIMT_INLINE T name##_sync(unsigned mask, T v, Arg arg, int width = 32) {                                             \
    return simt::shuffle(mode, mask, v, static_cast<unsigned>(arg), width);                                            \
  }                                                                                                                    \
  SIMT_INLINE T name(T v, Arg arg, int width = 32) {                                                                   \
    return simt::shuffle(mode, simt_op_together(nullptr), v, static_cast<unsigned>(arg), width);                     \
  }
#define SIMT_SHUFFLE(T)                                                                                                \
  SIMT_SHUFFLE1(__shfl, T, int, SIMT_SHFL_IDX)                                                                         \
  SIMT_SHUFFLE1(__shfl_up, T, unsigned, SIMT_SHFL_UP)                                                                  \
  SIMT_SHUFFLE1(__shfl_down, T, unsigned, SIMT_SHFL_DOWN)                                                              \
  SIMT_SHUFFLE1(__shfl_xor, T, int, SIMT_SHFL_XOR)

SIMT_SHUFFLE(int)
SIMT_SHUFFLE(unsigned)
SIMT_SHUFFLE(long)
SIMT_SHUFFLE(unsigned long)
SIMT_SHUFFLE(long long)
SIMT_SHUFFLE(unsigned long long)
SIMT_SHUFFLE(float)
SIMT_SHUFFLE(double)
#undef SIMT_SHUFFLE
#undef SIMT_SHUFFLE1

#endif
