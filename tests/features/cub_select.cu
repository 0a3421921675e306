// cub_select.cu - cub's selections, histograms and iterators for the device, in streams.
#include <cub/cub.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include "feature.h"

__device__ int numbers[200], chosen[4][200], counts[8], lengths[200];
__device__ char memory[1 << 16];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x * 7 % 200 / 10; }
struct IsOdd {
  __host__ __device__ bool operator()(int v) const { return v % 2; }
};
__global__ void tell(double *out) {
  const int i = threadIdx.x;
  for (int k = 0; k < 4; k++) out[200 * k + i] = i < counts[k] ? chosen[k][i] : -1;
  out[800 + i] = i < counts[3] ? lengths[i] : -1;
}

template <class T> static T *address(const T &symbol) {
  void *p = nullptr;
  cudaGetSymbolAddress(&p, symbol);
  return static_cast<T *>(p);
}

/* One after the other in a stream, all with the same memory. */
static void select(double *out, cudaStream_t first, cudaStream_t second) {
  int *in = *address(numbers), *count = *address(counts), *length = *address(lengths), (*to)[200] = *address(chosen);
  void *m = *address(memory);
  size_t n = sizeof memory;
  cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> it(in);
  cub::DeviceSelect::If(m, n, it, to[0], count, 200, IsOdd(), first);
  cub::DeviceSelect::Flagged(m, n, in, in, to[1], count + 1, 200, second);
  cub::DeviceSelect::Unique(m, n, in, to[2], count + 2, 200, second);
  cub::DeviceRadixSort::SortKeys(m, n, in, to[0], 200, 0, 32, second);
  cub::DeviceRunLengthEncode::Encode(m, n, to[0], to[3], length, count + 3, 200, second);
  cub::DeviceSelect::If(m, n, it + 0, to[0], count, 200, IsOdd(), second);
  tell<<<1, 200, 0, second>>>(out);
  cub::DeviceHistogram::HistogramEven(m, n, in, count, 6, 0, 20, 200, second);
}
__global__ void tell_counts(double *out) { out[1000 + threadIdx.x] = counts[threadIdx.x]; }

static void in_streams(double *out, bool same) {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  fill<<<1, 200>>>();
  cudaDeviceSynchronize();
  select(out, a, same ? a : b);
  cudaDeviceSynchronize();
  tell_counts<<<1, 5>>>(out);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

RIGHT(cub_select) { in_streams(out, true); }
WRONG(cub_select) { in_streams(out, false); }
EXPECTED(cub_select) {
  int at[4] = {0, 0, 0, 0};
  const int part = i / 200;
  for (int k = 0; k < 200; k++) {
    const int v = k * 7 % 200 / 10, before = k ? (k - 1) * 7 % 200 / 10 : -1;
    if (part == 0 && v % 2 && at[0]++ == i) return v;
    if (part == 1 && v && at[1]++ == i - 200) return v;
    if (part == 2 && v != before && at[2]++ == i - 400) return v;
  }
  if (part == 3) return i - 600 < 20 ? i - 600 : -1;
  if (part == 4) return i - 800 < 20 ? 10 : -1;
  return i < 1000 ? -1 : 40;
}
