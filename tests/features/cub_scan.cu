// cub_scan.cu - cub::BlockScan, BlockLoad, BlockStore, WarpScan: a prefix sum of several items a thread.
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_scan.cuh>
#include "feature.h"

__device__ int numbers[256];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x; }

template <int THREADS, int ITEMS> __global__ void prefix(double *out, int valid) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_DIRECT>;
  using Scan = cub::BlockScan<int, THREADS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } temp;
  int items[ITEMS], total;
  Load(temp.load).Load(numbers, items, valid, 0);
  __syncthreads();
  Scan(temp.scan).InclusiveSum(items, items, total);
  __syncthreads();
  Store(temp.store).Store(numbers, items, valid);
  __syncthreads();
  int one, warp;
  Scan(temp.scan).ExclusiveSum(1, one);
  __shared__ typename cub::WarpScan<int>::TempStorage warp_temp;
  cub::WarpScan<int>(warp_temp).InclusiveSum(2, warp);
  for (int k = threadIdx.x; k < THREADS * ITEMS; k += THREADS) out[k] = numbers[k];
  out[THREADS * ITEMS + threadIdx.x] = total + 1e6 * one + 1e9 * warp;
}

RIGHT(cub_scan) {
  fill<<<1, 256>>>();
  prefix<64, 4><<<1, 64>>>(out, 250);
}
WRONG(cub_scan) {
  fill<<<1, 256>>>();
  prefix<64, 4><<<1, 64>>>(out, 257);
  prefix<128, 4><<<1, 128>>>(out, 512);
}
EXPECTED(cub_scan) {
  if (i >= 256) return 249 * 125 + 1e6 * (i - 256) + 1e9 * 2 * ((i - 256) % 32 + 1);
  return i < 250 ? i * (i + 1) / 2 : i;
}
