// qualifiers.cu - CUDA's qualifiers in every order and place, built-in variables, shared memory of every shape.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

struct Pair {
  float value;
  int index;
};

union Quad {
  float4 vector;
  float lane[4];
};

struct __align__(16) Aligned {
  char c;
};
static_assert(alignof(Aligned) == 16 && sizeof(Aligned) == 16, "__align__");

__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int device_counter;
static __device__ float device_table[8];
__managed__ int managed_value;

extern __shared__ float dynamic_shared[];

__device__ float square(float x) { return x * x; }
__host__ __device__ inline float twice(float x) { return x + x; }
static __device__ __forceinline__ float thrice(float x) { return 3.0f * x; }
__device__ __noinline__ float half(float x) { return x / 2; }

__global__ void plain(float *out) { out[threadIdx.x] = square(coefficients[threadIdx.x & 3]); }
void __global__ reversed(float *out) { out[threadIdx.x] = twice(device_table[threadIdx.x & 7]); }
static __global__ void internal(float *out) { out[threadIdx.x] = thrice(out[threadIdx.x]); }
extern "C" __global__ void unmangled(float *__restrict__ out, const float *__restrict__ in) {
  out[threadIdx.x] = half(in[threadIdx.x]);
}
__global__ void __launch_bounds__(256) bounded(float *out) { out[0] = 1.0f; }
__global__ __launch_bounds__(256, 2) void bounded_first(float *out) { out[0] = 2.0f; }

namespace layer {
template <int Block, typename T> __global__ __launch_bounds__(Block, 2) void templated(T *out, const __grid_constant__ int n) {
  __shared__ T tile[Block];
  __shared__ T total;
  tile[threadIdx.x] = static_cast<T>(n);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, tile[threadIdx.x]);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
template __global__ void templated<32, double>(double *, const __grid_constant__ int);
} // namespace layer

template <typename T> __device__ inline T *scratch() {
  __shared__ T space[32];
  return space;
}

__global__ void shared_shapes(float *out, int n) {
  __shared__ float array[32];
  __shared__ int scalar;
  __shared__ volatile float strong[32];
  __shared__ float4 vectors[8];
  __shared__ float matrix[8][9];
  __shared__ Pair pairs[4];
  __shared__ Quad quad;
  __shared__ __align__(16) unsigned char bytes[64];
  __shared__ double wide, wider[3];
  static __shared__ float counted[4];
  __shared__ const float *where;
  __shared__ bool flag;
  const unsigned t = threadIdx.x % 32;
  array[t] = out[t];
  strong[t] = array[t];
  vectors[t % 8] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
  matrix[t % 8][t % 9] = strong[t];
  pairs[t % 4].index = n;
  quad.vector = vectors[0];
  bytes[t] = 1;
  wider[t % 3] = 0.5;
  counted[t % 4] = quad.lane[3];
  scratch<float>()[t] = 1.0f;
  scratch<int>()[t] = 1;
  if (t == 0) {
    scalar = n;
    wide = 1.0;
    where = out;
    flag = n > 0;
  }
  __syncthreads();
  if (flag && where == out)
    out[t] = array[t] + matrix[t % 8][t % 9] + counted[t % 4] + static_cast<float>(scalar + pairs[t % 4].index + bytes[t]) +
             static_cast<float>(wide + wider[t % 3]) + scratch<float>()[t] + static_cast<float>(scratch<int>()[t]);
}

__global__ void dynamic(float *out) {
  extern __shared__ __align__(16) float dynamic_shared[];
  dynamic_shared[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic_shared[blockDim.x - 1 - threadIdx.x];
}

__device__ unsigned flat(dim3 size, uint3 at) { return (at.z * size.y + at.y) * size.x + at.x; }
template <typename T> __device__ unsigned first_of(T v) { return v.x; }

__global__ void variables(unsigned *out, int n) {
  const uint3 t = threadIdx;
  const dim3 g(gridDim), from_block(blockIdx), from_thread = threadIdx;
  const auto b = blockDim;
  const dim3 copy = b;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n - blockDim.x; i += gridDim.x * blockDim.x) out[i] = flat(blockDim, threadIdx) + flat(g, blockIdx);
  out[0] = t.x + t.y + t.z + b.x + copy.y + from_block.z + from_thread.x + g.z + warpSize + first_of(threadIdx);
  out[threadIdx.x / warpSize] = static_cast<unsigned>(device_counter + managed_value);
}

void launch_all(float *f, double *d, unsigned *u, cudaStream_t stream) {
  const dim3 grid(2, 3), block(32);
  plain<<<1, 32>>>(f);
  reversed<<<grid, block>>>(f);
  internal<<<grid, block, 0>>>(f);
  unmangled<<<grid, block, 0, stream>>>(f, f);
  bounded<<<{1, 1, 1}, {32, 2}>>>(f);
  bounded_first<<<1, 1>>>(f);
  layer::templated<32, double><<<2, 32>>>(d, 7);
  shared_shapes<<<1, 64>>>(f, 3);
  dynamic<<<1, 32, 32 * sizeof(float)>>>(f);
  variables<<<grid, block>>>(u, 100);
}
