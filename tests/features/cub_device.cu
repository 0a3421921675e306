// cub_device.cu - cub's algorithms for the device: reductions, scans and sorts, with the memory that they ask for first.
#include <cub/cub.cuh>
#include "feature.h"

__device__ float values[300];
__device__ int keys[300], sorted[300], order[300], order_out[300], offsets[4];
__device__ float best;
__device__ int best_at;

__global__ void fill() {
  for (int i = threadIdx.x; i < 300; i += blockDim.x) values[i] = (i * 77 % 300) / 4.0f, keys[i] = i * 77 % 300 - 150, order[i] = i;
  if (threadIdx.x == 0) offsets[0] = 0, offsets[1] = 100, offsets[2] = 100, offsets[3] = 300;
}
/* Halves below 0 and bfloats above 0; what an extreme begins with has to be beyond all. */
__device__ __half low[40], low_best[2];
__device__ __nv_bfloat16 high[40], high_best[2];
__device__ cub::KeyValuePair<int, float> none[2];
__global__ void fill_halves() {
  for (int i = threadIdx.x; i < 40; i += blockDim.x) low[i] = __float2half(-2.0f - i * 7 % 40), high[i] = __float2bfloat16(3.0f + i * 7 % 40);
}
__global__ void tell_halves(double *out) {
  out[0] = __half2float(low_best[0]), out[1] = __half2float(low_best[1]);
  out[2] = __bfloat162float(high_best[0]), out[3] = __bfloat162float(high_best[1]);
  for (int i = 0; i < 2; i++) out[4 + 2 * i] = none[i].key, out[5 + 2 * i] = none[i].value;
}
struct Product {
  __host__ __device__ double operator()(double a, double b) const { return a * b; }
};
__global__ void tell(double *out, int at) {
  for (int i = threadIdx.x; i < 300; i += blockDim.x) out[at + i] = sorted[i] + 1000.0 * order_out[i];
}

template <class T> static T *address(const T &symbol) {
  void *p = nullptr;
  cudaGetSymbolAddress(&p, symbol);
  return static_cast<T *>(p);
}

/* Each call twice: how much memory, and with it. */
template <class Call> int twice(Call call, size_t less = 0) {
  void *memory = nullptr;
  size_t bytes = 0;
  if (call(memory, bytes) != cudaSuccess || bytes == 0) return 1;
  cudaMalloc(&memory, bytes - less);
  size_t too_few = 1;
  const int wrong = call(memory, too_few) != cudaErrorInvalidValue || call(memory, bytes) != cudaSuccess;
  cudaFree(memory);
  return wrong;
}

__global__ void say(double *out, int wrong) { out[0] = wrong, out[1] = best_at, out[2] = best; }

/* Of halves, and of no items at all. */
static int extremes(double *out) {
  const __half *l = *address(low);
  const __nv_bfloat16 *h = *address(high);
  const float *x = *address(values);
  __half *l_best = *address(low_best);
  __nv_bfloat16 *h_best = *address(high_best);
  cub::KeyValuePair<int, float> *pair = *address(none);
  int wrong = 0;
  fill_halves<<<1, 32>>>();
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Max(m, n, l, l_best, 40); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Max(m, n, l, l_best + 1, 0); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Min(m, n, h, h_best, 40); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Min(m, n, h, h_best + 1, 0); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::ArgMax(m, n, x, pair, 0); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::ArgMin(m, n, x, pair + 1, 0); });
  tell_halves<<<1, 1>>>(out);
  return wrong;
}

RIGHT(cub_device) {
  const float *x = *address(values);
  const int *k = *address(keys), *in = *address(order), *seg = *address(offsets);
  int *s = *address(sorted), *o = *address(order_out), wrong = 0;
  float *b = address(best);
  int *b_at = address(best_at);
  fill<<<1, 128>>>();
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Sum(m, n, x, out + 3, 300); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Max(m, n, x, out + 4, 300); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Min(m, n, k, out + 5, 300); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::Reduce(m, n, x + 1, out + 6, 3, Product(), 2.0); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceReduce::ArgMax(m, n, x, b, b_at, 300); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceSegmentedReduce::Sum(m, n, k, out + 7, 3, seg, seg + 1); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceScan::InclusiveSum(m, n, k, out + 10, 300); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceScan::ExclusiveScan(m, n, x + 1, out + 310, Product(), 4.0, 4); });
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceRadixSort::SortPairs(m, n, k, s, in, o, 300); });
  tell<<<1, 128>>>(out, 314);
  wrong += twice([&](void *m, size_t &n) { return cub::DeviceRadixSort::SortKeysDescending(m, n, k, s, 300); });
  tell<<<1, 128>>>(out, 614);
  wrong += extremes(out + 914);
  say<<<1, 1>>>(out, wrong);
}
WRONG(cub_device) { // less memory than it was told
  const float *x = *address(values);
  fill<<<1, 128>>>();
  twice([&](void *m, size_t &n) { return cub::DeviceReduce::Sum(m, n, x, out, 300); }, 8);
}
EXPECTED(cub_device) {
  const double start[] = {0, 0, 299 / 4.0, 299 * 300 / 8.0, 299 / 4.0, -150, 2 * (77 / 4.0) * (154 / 4.0) * (231 / 4.0)};
  const double extreme[] = {-2, -65504, 3, 338953138925153547590470800371487866880.0, 1, -340282346638528859811704183484516925440.0, 1,
                            340282346638528859811704183484516925440.0};
  if (i >= 914) return extreme[i - 914];
  double product = 4, sum[3] = {0, 0, 0}, upto = 0;
  int at[300] = {0};
  for (int k = 0; k < 300; k++) sum[k < 100 ? 0 : 2] += k * 77 % 300 - 150, at[k * 77 % 300] = k;
  if (i == 1) return at[299];
  if (i < 7) return start[i];
  if (i < 10) return sum[i - 7];
  for (int k = 0; k <= i - 10 && i < 310; k++) upto += k * 77 % 300 - 150;
  if (i < 310) return upto;
  for (int k = 0; k < i - 310 && i < 314; k++) product *= (k + 1) * 77 % 300 / 4.0;
  if (i < 314) return product;
  if (i < 614) return i - 314 - 150 + 1000.0 * at[i - 314];
  return 149 - (i - 614) + 1000.0 * at[i - 614];
}
