/* device_launch_parameters.h - threadIdx, blockIdx, blockDim, gridDim, warpSize.
 *
 * The members are properties: reading threadIdx.x calls the engine, whose answer is constant within a thread. They are
 * unsigned, as on a device, so that `i < n - blockDim.x` goes wrong here too. The objects hold nothing, so a copy
 * (`auto t = threadIdx`) serves as well. */
#ifndef SIMT_DEVICE_LAUNCH_PARAMETERS_H
#define SIMT_DEVICE_LAUNCH_PARAMETERS_H
#include "simt_engine.h"
#include "vector_types.h"

#define SIMT_AXIS(var, axis)                                                                                           \
  __declspec(property(get = simt_get_##axis)) unsigned axis;                                                           \
  static SIMT_INLINE unsigned simt_get_##axis() { return simt_##var##_##axis(); }

#define SIMT_BUILTIN_VAR(Type, var)                                                                                    \
  struct Type {                                                                                                        \
    SIMT_AXIS(var, x)                                                                                                  \
    SIMT_AXIS(var, y)                                                                                                  \
    SIMT_AXIS(var, z)                                                                                                  \
    SIMT_INLINE operator uint3() const { return uint3{simt_get_x(), simt_get_y(), simt_get_z()}; }                     \
  };

namespace simt {
SIMT_BUILTIN_VAR(ThreadIdx, thread_idx)
SIMT_BUILTIN_VAR(BlockIdx, block_idx)
SIMT_BUILTIN_VAR(BlockDim, block_dim)
SIMT_BUILTIN_VAR(GridDim, grid_dim)
} // namespace simt
#undef SIMT_BUILTIN_VAR
#undef SIMT_AXIS

SIMT_INLINE dim3::dim3(const simt::ThreadIdx &v) noexcept : x(v.simt_get_x()), y(v.simt_get_y()), z(v.simt_get_z()) {}
SIMT_INLINE dim3::dim3(const simt::BlockIdx &v) noexcept : x(v.simt_get_x()), y(v.simt_get_y()), z(v.simt_get_z()) {}
SIMT_INLINE dim3::dim3(const simt::BlockDim &v) noexcept : x(v.simt_get_x()), y(v.simt_get_y()), z(v.simt_get_z()) {}
SIMT_INLINE dim3::dim3(const simt::GridDim &v) noexcept : x(v.simt_get_x()), y(v.simt_get_y()), z(v.simt_get_z()) {}

/* Weak and never defined: no code reads them. */
extern const simt::ThreadIdx threadIdx __attribute__((weak));
extern const simt::BlockIdx blockIdx __attribute__((weak));
extern const simt::BlockDim blockDim __attribute__((weak));
extern const simt::GridDim gridDim __attribute__((weak));

constexpr int warpSize = 32;

#endif
