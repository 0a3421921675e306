/* vector_types.h - CUDA's short vectors with CUDA's sizes and alignments, and dim3.
 *
 * Plain structs without constructors, so that they may stand in unions and in shared memory. */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H
#include "host_defines.h"

/* One, three: aligned as the element. Two, four: aligned as given. */
#ifdef __cplusplus
#define SIMT_TAGS(name, suffix)
#else
#define SIMT_TAGS(name, suffix) typedef struct name##suffix name##suffix;
#endif
#define SIMT_VECTOR(name, T, align2, align4)                                                                           \
  SIMT_TAGS(name, 1) SIMT_TAGS(name, 2) SIMT_TAGS(name, 3) SIMT_TAGS(name, 4)                                          \
  struct name##1 { T x; };                                                                                             \
  struct __attribute__((aligned(align2))) name##2 { T x, y; };                                                         \
  struct name##3 { T x, y, z; };                                                                                       \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };

SIMT_VECTOR(char, signed char, 2, 4)
SIMT_VECTOR(uchar, unsigned char, 2, 4)
SIMT_VECTOR(short, short, 4, 8)
SIMT_VECTOR(ushort, unsigned short, 4, 8)
SIMT_VECTOR(int, int, 8, 16)
SIMT_VECTOR(uint, unsigned, 8, 16)
SIMT_VECTOR(long, long, 16, 16)
SIMT_VECTOR(ulong, unsigned long, 16, 16)
SIMT_VECTOR(longlong, long long, 16, 16)
SIMT_VECTOR(ulonglong, unsigned long long, 16, 16)
SIMT_VECTOR(float, float, 8, 16)
SIMT_VECTOR(double, double, 16, 16)
#undef SIMT_VECTOR

/* Four elements of eight bytes with the alignment in the name. */
#define SIMT_VECTOR_ALIGNED(name, T)                                                                                   \
  SIMT_TAGS(name, 4_16a) SIMT_TAGS(name, 4_32a)                                                                        \
  struct __attribute__((aligned(16))) name##4_16a { T x, y, z, w; };                                                   \
  struct __attribute__((aligned(32))) name##4_32a { T x, y, z, w; };

SIMT_VECTOR_ALIGNED(long, long)
SIMT_VECTOR_ALIGNED(ulong, unsigned long)
SIMT_VECTOR_ALIGNED(longlong, long long)
SIMT_VECTOR_ALIGNED(ulonglong, unsigned long long)
SIMT_VECTOR_ALIGNED(double, double)
#undef SIMT_VECTOR_ALIGNED
#undef SIMT_TAGS

#ifdef __cplusplus
namespace simt { /* the types of the built-in variables: device_launch_parameters.h */
struct ThreadIdx;
struct BlockIdx;
struct BlockDim;
struct GridDim;
} // namespace simt

struct dim3 {
  unsigned x, y, z;
#ifndef SIMT_HOST_ONLY
  inline dim3(const simt::ThreadIdx &) noexcept;
  inline dim3(const simt::BlockIdx &) noexcept;
  inline dim3(const simt::BlockDim &) noexcept;
  inline dim3(const simt::GridDim &) noexcept;
#endif
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
#endif

#endif
