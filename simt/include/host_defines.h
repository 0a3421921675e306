/* host_defines.h - CUDA's qualifiers for the engine, which compiles device and host code together as plain C++.
 *
 * Kernels are functions of section simt_global, shared memory is variables of section simt_shared: by these the
 * instrumenter finds them. Everything else that CUDA marks needs no mark here. */
#ifndef SIMT_HOST_DEFINES_H
#define SIMT_HOST_DEFINES_H

#define __global__ __attribute__((section("simt_global")))
#define __device__
#define __host__
#define __constant__
#define __managed__ __attribute__((section("simt_managed"))) /* host code uses it directly: it stays where it is */
#define __grid_constant__

/* __sharex__ is what the rewriter makes of the __shared__ in a declaration that says extern or static itself. */
#define __sharex__ __attribute__((section("simt_shared")))
#define __shared__ static __sharex__

#define __launch_bounds__(...) __attribute__((annotate("simt_bounds", __VA_ARGS__)))
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __align(n) __align__(n) /* what the rewriter makes of alignas behind __shared__ */
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ /* the C++ library writes __attribute__((__noinline__)): that stays legal */

#define __cluster_dims__(...) __attribute__((annotate("simt_cluster", __VA_ARGS__))) /* refused where somebody may launch it */

/* What code tests to see which compiler reads it. __SIMT__ is ours alone. */
#define __SIMT__ 1
#if defined(__cplusplus) && !defined(SIMT_HOST_ONLY)
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_ARCH__ 900
#endif

#endif
