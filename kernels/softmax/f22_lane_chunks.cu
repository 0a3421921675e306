// One warp a row, the row in registers: a lane holds next_power_of_2(cols) / 32 elements, loaded in chunks of four neighbours, or of
// as many as it holds if those are fewer. A template over the logarithm of the columns. Blocks of whole warps, up to 1,024 columns. The bound
// keeps a thread within 64 registers, so that a block of 1,024 threads can be launched.
#include <math.h>

template <int LOG2>
__global__ void __launch_bounds__(1024) softmax_f22_kernel(const float *x, float *y, int rows, int cols) {
  constexpr int ELEMENTS = (1 << LOG2) / 32, CHUNK = ELEMENTS < 4 ? ELEMENTS : 4;
  const int lane = threadIdx.x % 32;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const float *in = x + row * cols;
  float *out = y + row * cols;

  float elements[ELEMENTS], m = -INFINITY, sum = 0.0f;
  for (int i = 0; i < ELEMENTS; i += CHUNK)
    for (int k = 0; k < CHUNK; k++) {
      const int c = i * 32 + lane * CHUNK + k;
      elements[i + k] = c < cols ? in[c] : -INFINITY;
      m = fmaxf(m, elements[i + k]);
    }
  for (int lanes = 16; lanes > 0; lanes /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, lanes));

  for (int i = 0; i < ELEMENTS; i++) {
    elements[i] = expf(elements[i] - m);
    sum += elements[i];  // 0 past the row
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);

  for (int i = 0; i < ELEMENTS; i += CHUNK)
    for (int k = 0; k < CHUNK; k++) {
      const int c = i * 32 + lane * CHUNK + k;
      if (c < cols) out[c] = elements[i + k] / sum;
    }
}

static void softmax_f22(const float *x, float *y, int rows, int cols, dim3 grid, dim3 block, cudaStream_t stream) {
  if (cols <= 32)
    softmax_f22_kernel<5><<<grid, block, 0, stream>>>(x, y, rows, cols);
  else if (cols <= 64)
    softmax_f22_kernel<6><<<grid, block, 0, stream>>>(x, y, rows, cols);
  else if (cols <= 128)
    softmax_f22_kernel<7><<<grid, block, 0, stream>>>(x, y, rows, cols);
  else if (cols <= 256)
    softmax_f22_kernel<8><<<grid, block, 0, stream>>>(x, y, rows, cols);
  else if (cols <= 512)
    softmax_f22_kernel<9><<<grid, block, 0, stream>>>(x, y, rows, cols);
  else
    softmax_f22_kernel<10><<<grid, block, 0, stream>>>(x, y, rows, cols);
}
