// One launch: each block leaves its sum in global memory and draws a ticket; the block with the last ticket knows that all sums
// are there and adds them up. A block takes four elements a thread; blocks of whole warps.
#define ELEMENTS_A_THREAD 4

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__device__ __forceinline__ float block_sum(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  v = warp_sum(v);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  if (warp == 0) v = warp_sum(lane < warps ? slots[lane] : 0.0f);
  return v;  // in thread 0
}

__global__ void reduce_sum_last_block_kernel(const float *a, float *out, float *partials, unsigned *ticket, int n) {
  __shared__ float slots[32];
  __shared__ bool is_last;
  const size_t begin = (size_t)blockIdx.x * blockDim.x * ELEMENTS_A_THREAD + threadIdx.x;

  float sum = 0.0f;
  for (unsigned k = 0; k < ELEMENTS_A_THREAD; k++) {
    const size_t i = begin + (size_t)k * blockDim.x;
    if (i < (size_t)n) sum += a[i];
  }
  sum = block_sum(sum, slots);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();  // the sum is there before the ticket is drawn
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __threadfence();  // and the others' are read after it
  }
  __syncthreads();
  if (!is_last) return;

  sum = 0.0f;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partials[b];
  sum = block_sum(sum, slots);
  if (threadIdx.x == 0) out[0] = sum;
}

// scratch: the ticket, then a float a block.
static void reduce_sum_last_block(const float *a, float *out, float *scratch, int n, dim3 grid, dim3 block, cudaStream_t stream) {
  if (n == 0) return;
  unsigned *ticket = reinterpret_cast<unsigned *>(scratch);
  cudaMemsetAsync(ticket, 0, sizeof *ticket, stream);
  reduce_sum_last_block_kernel<<<grid, block, 0, stream>>>(a, out, scratch + 1, ticket, n);
}
