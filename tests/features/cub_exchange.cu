// cub_exchange.cu - cub::BlockExchange, and cub::BlockLoad and BlockStore by way of shared memory.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>
#include "feature.h"

__device__ float numbers[512];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x; }

template <int THREADS, int ITEMS, bool Waits> __global__ void exchange(double *out) {
  using Load = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
  using Wide = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_VECTORIZE>;
  using Exchange = cub::BlockExchange<float, THREADS, ITEMS>;
  using Reduce = cub::BlockReduce<float, THREADS>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Wide::TempStorage wide;
    typename Exchange::TempStorage exchange;
    typename Reduce::TempStorage reduce;
  } temp;
  const int t = threadIdx.x;
  float v[ITEMS], w[ITEMS];
  int rank[ITEMS];
  Load(temp.load).Load(numbers, v);
  if (Waits) __syncthreads();
  const float sum = Reduce(temp.reduce).Sum(v);
  if (t == 0) out[512] = sum;
  Wide(temp.wide).Load(numbers, w);
  __syncthreads();
  for (int i = 0; i < ITEMS; i++) {
    rank[i] = THREADS * ITEMS - 1 - (t * ITEMS + i);
    v[i] += 1000 * w[i];
  }
  Exchange(temp.exchange).BlockedToStriped(v, v);
  __syncthreads();
  Exchange(temp.exchange).StripedToBlocked(v, v);
  __syncthreads();
  Exchange(temp.exchange).BlockedToWarpStriped(v, v);
  __syncthreads();
  Exchange(temp.exchange).WarpStripedToBlocked(v, v);
  __syncthreads();
  Exchange(temp.exchange).ScatterToBlocked(v, v, rank);
  __syncthreads();
  Store(temp.store).Store(numbers, v, THREADS * ITEMS - 2);
  __syncthreads();
  cub::LoadDirectStriped<THREADS>(t, numbers, v);
  cub::StoreDirectStriped<THREADS>(t, out, v);
}

RIGHT(cub_exchange) {
  fill<<<1, 512>>>();
  exchange<128, 4, true><<<1, 128>>>(out);
}
WRONG(cub_exchange) { // BlockLoad has not done with the memory yet
  fill<<<1, 512>>>();
  exchange<128, 4, false><<<1, 128>>>(out);
}
EXPECTED(cub_exchange) { return i == 512 ? 511 * 256 : i < 510 ? 1001.0 * (511 - i) : i; }
