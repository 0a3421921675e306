/* cuda_runtime.h - all that nvcc declares without being asked; included ahead of every kernel source. Host code that simt-cc does not compile
 * (C, or C++ with SIMT_HOST_ONLY) gets the runtime interface alone.
 *
 * simt_libc.h has to come before any system header. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "simt_runtime.h"
#ifndef SIMT_HOST_ONLY
#include "device_launch_parameters.h"
#include "math_constants.h"
#include "simt_atomic.h"
#include "simt_convert.h"
#include "simt_integer.h"
#include "simt_math.h"
#include "simt_ptx.h"
#include "simt_round.h"
#include "simt_shuffle.h"
#include "simt_sync.h"
#include "simt_user_access.h"
#include "simt_user_norm.h"
#include "simt_video.h"

namespace simt {

/* What the rewriter makes of the <<< >>> of a launch; the call of the kernel's host stub follows. Inlined: its place is the launch's. */
SIMT_INLINE void configure(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  const uint32_t g[3] = {grid.x, grid.y, grid.z}, b[3] = {block.x, block.y, block.z};
  simt_configure_launch(g, b, shared_bytes, stream);
}

} // namespace simt

#endif
#endif
#endif
