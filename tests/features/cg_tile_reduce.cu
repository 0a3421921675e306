// cg_tile_reduce.cu - cooperative groups: cg::reduce over a warp, as softmax and norm kernels have it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <float.h>
#include "feature.h"
namespace cg = cooperative_groups;

__global__ void softmax_rows(double *out, const int cols) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  float top = -FLT_MAX, sum = 0.0f;
  for (int c = warp.thread_rank(); c < cols; c += warp.size()) top = fmaxf(top, float(c % 7));
  top = cg::reduce(warp, top, cg::greater<float>{});
  for (int c = warp.thread_rank(); c < cols; c += warp.size()) sum += c % 7 == 6;
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  const int low = cg::reduce(warp, int(warp.thread_rank()) + row, cg::less<int>());
  const int all = cg::reduce(warp, 1u << (warp.thread_rank() % 5), cg::bit_or<unsigned>());
  if (warp.thread_rank() == 0) out[row] = 1000 * top + 100 * low + sum + all;
}

__global__ void wrong(double *out, const int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float v = threadIdx.x;
  if (int(threadIdx.x) < n) v = cg::reduce(warp, v, cg::plus<float>()); // not all of the warp
  if (threadIdx.x == 0) out[0] = v;
}

RIGHT(cg_tile_reduce) { softmax_rows<<<2, 64>>>(out, 70); }
WRONG(cg_tile_reduce) { wrong<<<1, 32>>>(out, 20); }
EXPECTED(cg_tile_reduce) { return 6000 + 100 * i + 10 + 31; }
