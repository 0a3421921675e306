// cg_coalesced.cu - cooperative groups: the threads of a branch as a group; atomics aggregated by warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "feature.h"
namespace cg = cooperative_groups;

__device__ int take_ticket(int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__device__ int counter;

__global__ void right(double *out) {
  if (threadIdx.x % 3 == 0) out[take_ticket(&counter)] = 1;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::coalesced_group same = cg::labeled_partition(warp, threadIdx.x % 4);
  const int sum = cg::reduce(same, int(threadIdx.x), cg::plus<int>());
  if (same.thread_rank() == same.size() - 1) out[22 + threadIdx.x % 4] = sum;
  auto sign = cg::binary_partition(warp, threadIdx.x < 10);
  if (sign.thread_rank() == 5) out[26 + sign.meta_group_rank()] = sign.shfl_down(int(threadIdx.x), 0) + 100 * sign.size();
}

__global__ void wrong(double *out) {
  cg::coalesced_group active = cg::coalesced_threads();
  int v = threadIdx.x;
  if (threadIdx.x != 1) v = active.shfl(v, 1); // a lane of the group that does not come
  out[threadIdx.x % 28] = v;
}

RIGHT(cg_coalesced) {
  right<<<1, 32>>>(out); // 11 tickets
  right<<<1, 32>>>(out); // 11 more
}
WRONG(cg_coalesced) { wrong<<<1, 28>>>(out); }
EXPECTED(cg_coalesced) {
  if (i < 22) return 1;
  if (i < 26) return 112 + 8 * (i - 22);
  return i == 26 ? 5 + 1000 : 15 + 2200;
}
