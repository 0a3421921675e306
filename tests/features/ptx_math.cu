// ptx_math.cu - inline PTX: approximations and conversions, packing of halves.
#include <cuda_fp16.h>
#include "feature.h"

__device__ bool near(float a, double b) { return fabs(a - b) <= 1e-3 * fabs(b); }

__device__ __forceinline__ float tanh_approx(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__global__ void right(double *out) {
  float r, e, l, t = tanh_approx(0.5f), m;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(4.0f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(3.0f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(l) : "f"(8.0f));
  asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(t) : "f"(2.0f), "f"(3.0f));
  asm("max.f32 %0, %1, 0f3F800000;" : "=f"(m) : "f"(-2.0f));
  out[0] = near(r, 0.25) && near(e, 8) && near(l, 3) && near(t, 6.46211716) && m == 1.0f;
  unsigned two;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(2.0f), "f"(1.0f));
  const half2 h = *reinterpret_cast<half2 *>(&two);
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(1.0f));
  float back;
  asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(__half_as_ushort(__low2half(h))));
  int near_int;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(near_int) : "f"(2.5f));
  out[1] = __high2float(h) + back + 10 * (bits == 0x3f80) + 100 * near_int;
}

RIGHT(ptx_math) { right<<<1, 1>>>(out); }
EXPECTED(ptx_math) { return i == 0 ? 1 : 213; }
