// lazy.cu - kernels that touch little of a buffer larger than memory. Run by test_lazy.c.
#include <cuda_runtime.h>

namespace {

constexpr size_t kStride = size_t(1) << 20;  // elements between those of neighbouring blocks

__global__ void copy_far(float *out, const float *in) {
  const size_t i = blockIdx.x * kStride + threadIdx.x;
  out[i] = in[i] + gridDim.x;
}

__global__ void add_far(float *out) { atomicAdd(&out[blockIdx.x * kStride], 1.0f); }

__global__ void copy_vectors(float4 *out, const float4 *in) {
  const size_t i = blockIdx.x * kStride / 4 + threadIdx.x;
  out[i] = in[i];
}

// A chunk a step, until there is no more.
__global__ void walk(float *out, size_t n) {
  for (size_t i = 0; i < n; i += 256) out[i] = 1.0f;
}

__global__ void read_unwritten(float *out) { out[threadIdx.x] = out[kStride + threadIdx.x]; }

}  // namespace

extern "C" {
void lazy_copy_far(void **b, int blocks) { copy_far<<<blocks, 32>>>((float *)b[0], (const float *)b[1]); }
void lazy_add_far(void **b, int blocks) { add_far<<<blocks, 32>>>((float *)b[0]); }
void lazy_copy_vectors(void **b, int blocks) { copy_vectors<<<blocks, 8>>>((float4 *)b[0], (const float4 *)b[1]); }
void lazy_walk(void **b, int) { walk<<<1, 1>>>((float *)b[0], size_t(1) << 32); }
void lazy_read_unwritten(void **b, int) { read_unwritten<<<1, 32>>>((float *)b[0]); }
void lazy_clear_some(void **b, int blocks) {
  cudaMemset((float *)b[0] + 5 * kStride, 0, 4096);
  add_far<<<blocks, 32>>>((float *)b[0]);
}
void lazy_clear_all(void **b, int) { cudaMemset(b[0], 0, size_t(1) << 34); }
void lazy_two_launches(void **b, int blocks) {
  add_far<<<blocks, 32>>>((float *)b[0]);
  add_far<<<3, 32>>>((float *)b[0]);
}
}
