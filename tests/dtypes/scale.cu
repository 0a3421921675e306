#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void scale(const __half *x, __nv_bfloat16 *y, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = factor * __half2float(x[i]);
#ifdef FAULT
    y[i] = __float2bfloat16_rz(v);
#else
    y[i] = __float2bfloat16(v);
#endif
  }
}
