// offsets.cu - softmax launchers whose row offset has a type of 32 or of 64 bits, in the ways rows are given to threads; and some
// that are wrong in one row of many. Run by test_huge.c.
#include "../../fuzz/op.h"
#include <math.h>

namespace {

// One thread does a row.
__device__ void softmax_of(const float *in, float *out, int cols) {
  float m = -INFINITY, sum = 0.0f;
  for (int c = 0; c < cols; c++) m = fmaxf(m, in[c]);
  for (int c = 0; c < cols; c++) sum += expf(in[c] - m);
  for (int c = 0; c < cols; c++) out[c] = expf(in[c] - m) / sum;
}

// The threads of a block share out the columns of a row.
template <typename Offset>
__device__ void block_softmax(const float *x, float *y, Offset row, int cols) {
  __shared__ float slots[1024];
  const int tid = threadIdx.x;
  const Offset offset = row * (Offset)cols;
  float m = -INFINITY, sum = 0.0f;
  for (int c = 0; c < cols; c++) m = fmaxf(m, x[offset + c]);
  for (int c = tid; c < cols; c += blockDim.x) sum += expf(x[offset + c] - m);
  slots[tid] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int i = 0; i < (int)blockDim.x; i++) sum += slots[i];
  for (int c = tid; c < cols; c += blockDim.x) y[offset + c] = expf(x[offset + c] - m) / sum;
  __syncthreads();
}

template <typename Offset>
__global__ void row_a_block(const float *x, float *y, int cols) {
  block_softmax<Offset>(x, y, blockIdx.x, cols);
}

template <typename Offset>
__global__ void blocks_stride(const float *x, float *y, int rows, int cols) {
  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) block_softmax<Offset>(x, y, row, cols);
}

template <typename Offset>
__global__ void row_a_thread(const float *x, float *y, int rows, int cols) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= (unsigned)rows) return;
  const Offset offset = (Offset)row * (Offset)cols;
  softmax_of(x + offset, y + offset, cols);
}

// Right but for what `Fault` does in the last row.
enum Fault { kWrong, kNan, kUnwritten, kChangesInput, kWritesAnother, kWritesNext };
template <Fault fault>
__global__ void last_row(float *x, float *y, int rows, int cols) {
  const size_t row = blockIdx.x;
  if (threadIdx.x) return;
  float *const in = x + row * cols, *const out = y + row * cols;
  softmax_of(in, out, fault == kUnwritten && row + 1 == (size_t)rows ? cols - 1 : cols);
  if (row + 1 != (size_t)rows) return;
  if (fault == kWrong) out[1] *= 1.01f;
  if (fault == kNan) out[1] = NAN;
  if (fault == kChangesInput) in[1] = 0.5f;
  if (fault == kWritesAnother) y[(row - 1234567) * cols + 1] = 0.5f;
  if (fault == kWritesNext) out[-1] = 0.5f;
}

// A block in the middle of nowhere reads and writes all over the output: more than a run can hold.
__global__ void floods(const float *x, float *y, int rows, int cols) {
  for (size_t i = blockIdx.x + threadIdx.x; i < (size_t)rows * cols; i += 1024) y[i] = x[i];
}

#define ARGS(a) static_cast<float *>((a)->tensor[0]), static_cast<float *>((a)->tensor[1])
#define ROWS(a) static_cast<int>((a)->dim[0])
#define COLS(a) static_cast<int>((a)->dim[1])

}  // namespace

#define FORMS(name, Offset)                                                                                                        \
  extern "C" void huge_block_##name(const WfLaunchArgs *a) { row_a_block<Offset><<<a->grid[0], a->block[0]>>>(ARGS(a), COLS(a)); } \
  extern "C" void huge_stride_##name(const WfLaunchArgs *a) {                                                                      \
    blocks_stride<Offset><<<a->grid[0], a->block[0]>>>(ARGS(a), ROWS(a), COLS(a));                                                 \
  }                                                                                                                                \
  extern "C" void huge_thread_##name(const WfLaunchArgs *a) {                                                                      \
    row_a_thread<Offset><<<a->grid[0], a->block[0]>>>(ARGS(a), ROWS(a), COLS(a));                                                  \
  }
FORMS(signed, int)
FORMS(unsigned, unsigned)
FORMS(size, size_t)

#define FAULT(name, fault) \
  extern "C" void huge_##name(const WfLaunchArgs *a) { last_row<fault><<<a->grid[0], a->block[0]>>>(ARGS(a), ROWS(a), COLS(a)); }
FAULT(wrong, kWrong)
FAULT(nan, kNan)
FAULT(unwritten, kUnwritten)
FAULT(changes_input, kChangesInput)
FAULT(writes_another, kWritesAnother)
FAULT(writes_next, kWritesNext)

extern "C" void huge_floods(const WfLaunchArgs *a) { floods<<<a->grid[0], a->block[0]>>>(ARGS(a), ROWS(a), COLS(a)); }
