// The same barrier over a grid that has as many blocks as its caller likes, however many a device holds at the same time.

enum { STAGED = 32 << 10 };  // elements that a block keeps in shared memory: 128 KB

// No block goes on before all have come here. The counter is 0 before the launch and used once.
__device__ __forceinline__ void grid_barrier(unsigned *arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned *)arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void reduce_sum_grid_barrier_published_kernel(const float *a, float *out, float *partials, unsigned *arrived, int n) {
  extern __shared__ float staged[];
  __shared__ float partial[128];
  const unsigned tid = threadIdx.x;

  float sum = 0.0f;
  for (size_t first = (size_t)blockIdx.x * STAGED; first < (size_t)n; first += (size_t)gridDim.x * STAGED) {
    const unsigned length = min((size_t)STAGED, (size_t)n - first);
    for (unsigned i = tid; i < length; i += blockDim.x) staged[i] = a[first + i];
    for (unsigned i = tid; i < length; i += blockDim.x) sum += staged[i];
  }
  partials[blockIdx.x * blockDim.x + tid] = sum;

  grid_barrier(arrived);
  if (blockIdx.x > 0) return;
  sum = 0.0f;
  for (unsigned i = tid; i < gridDim.x * blockDim.x; i += blockDim.x) sum += partials[i];
  partial[tid] = sum;
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s) partial[tid] += partial[tid + s];
  }
  if (tid == 0) out[0] = partial[0];
}

// scratch: the counter, then a float a thread. block.x is a power of two.
static void reduce_sum_grid_barrier_published(const float *a, float *out, float *scratch, int n, dim3 grid, dim3 block,
                                              cudaStream_t stream) {
  if (n == 0) return;
  unsigned *arrived = reinterpret_cast<unsigned *>(scratch);
  cudaMemsetAsync(arrived, 0, sizeof *arrived, stream);
  cudaFuncSetAttribute(reduce_sum_grid_barrier_published_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGED * sizeof(float));
  reduce_sum_grid_barrier_published_kernel<<<grid, block, STAGED * sizeof(float), stream>>>(a, out, scratch + 1, arrived, n);
}
