// A softmax over rows with the block's size as a template argument, chosen by a launcher.
#include <cfloat>
#include <cstdio>
#include "block_reduce.cuh"

#define CUDA_CHECK(call)                                                                       \
  do {                                                                                         \
    cudaError_t status_ = (call);                                                              \
    if (status_ != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status_));          \
  } while (0)

template <typename scalar_t, int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS) row_softmax(const scalar_t *__restrict__ input, scalar_t *__restrict__ output, const int dim) {
  __shared__ float partial[NUM_THREADS / 32];
  const scalar_t *in = input + static_cast<size_t>(blockIdx.x) * dim;
  scalar_t *out = output + static_cast<size_t>(blockIdx.x) * dim;

  float row_max = -INFINITY;
  for (int i = threadIdx.x; i < dim; i += NUM_THREADS) row_max = fmaxf(row_max, in[i]);
  row_max = util::block_reduce<NUM_THREADS, util::Max>(row_max, partial);

  float row_sum = 0.f;
  for (int i = threadIdx.x; i < dim; i += NUM_THREADS) row_sum += expf(in[i] - row_max);
  row_sum = util::block_reduce<NUM_THREADS, util::Sum>(row_sum, partial);

  const float inverse = 1.f / row_sum;
  for (int i = threadIdx.x; i < dim; i += NUM_THREADS) out[i] = expf(in[i] - row_max) * inverse;
}

template <typename scalar_t>
void softmax_forward(const scalar_t *input, scalar_t *output, int rows, int dim, cudaStream_t stream = 0) {
  const dim3 grid(rows);
  if (dim <= 64)
    row_softmax<scalar_t, 64><<<grid, 64, 0, stream>>>(input, output, dim);
  else if (dim <= 512)
    row_softmax<scalar_t, 128><<<grid, 128, 0, stream>>>(input, output, dim);
  else
    row_softmax<scalar_t, 256><<<grid, dim3(256), 0, stream>>>(input, output, dim);
  CUDA_CHECK(cudaGetLastError());
}
