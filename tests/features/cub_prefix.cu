// cub_prefix.cu - cub::BlockScan with what is in front of the block: a running sum over tiles, of one item and of several a thread.
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include "feature.h"

__device__ int numbers[1000], sums[1000];
__global__ void fill() {
  for (int i = threadIdx.x; i < 1000; i += blockDim.x) numbers[i] = i % 7;
}

struct RunningTotal {
  int total;
  __device__ RunningTotal(int t) : total(t) {}
  __device__ int operator()(int tile) {
    int before = total;
    total += tile;
    return before;
  }
};
struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int THREADS, int ITEMS, bool Waits> __global__ void cumsum(int n) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } temp;
  RunningTotal prefix(0);
  for (int at = 0; at < n; at += THREADS * ITEMS) {
    int v[ITEMS];
    Load(temp.load).Load(numbers + at, v, n - at, 0);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(v, v, prefix);
    if (Waits) __syncthreads();
    Store(temp.store).Store(sums + at, v, n - at);
    __syncthreads();
  }
}

__global__ void scans(double *out, int n) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage temp;
  RunningTotal sum(5), largest(0);
  int v, all;
  for (int at = 0; at < n; at += 64) {
    Scan(temp).ExclusiveSum(at + threadIdx.x < n ? numbers[at + threadIdx.x] : 0, v, sum);
    __syncthreads();
    if (at + threadIdx.x < n) out[at + threadIdx.x] = v + 10000.0 * sums[at + threadIdx.x];
  }
  Scan(temp).InclusiveScan(int(threadIdx.x * 37 % 64), v, Larger());
  __syncthreads();
  out[n + threadIdx.x] = v;
  Scan(temp).ExclusiveScan(int(threadIdx.x), v, 100, Larger(), all);
  __syncthreads();
  out[n + 64 + threadIdx.x] = v + all;
  int two[2] = {1, int(threadIdx.x)};
  Scan(temp).ExclusiveScan(two, two, 1000, Larger());
  __syncthreads();
  out[n + 128 + threadIdx.x] = two[1];
  int three[3] = {1, 2, 3};
  Scan(temp).ExclusiveScan(three, three, Larger(), largest);
  out[n + 192 + threadIdx.x] = three[1];
}

RIGHT(cub_prefix) {
  fill<<<1, 256>>>();
  cumsum<128, 3, true><<<1, 128>>>(700);
  scans<<<1, 64>>>(out, 700);
}
WRONG(cub_prefix) { // the memory is used for something else without a barrier
  fill<<<1, 256>>>();
  cumsum<128, 3, false><<<1, 128>>>(700);
}
EXPECTED(cub_prefix) {
  int before = 0, largest = 0;
  for (int k = 0; k < i && k < 700; k++) before += k % 7;
  for (int k = 0; k <= i - 700; k++) largest = k * 37 % 64 > largest ? k * 37 % 64 : largest;
  if (i < 700) return before + 5 + 10000.0 * (before + i % 7);
  if (i < 764) return largest;
  if (i < 828) return 100 + 63;
  return i < 892 ? 1000 : i == 892 ? 1 : 3;
}
