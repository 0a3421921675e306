// cg_block.cu - cooperative groups: the block as a group: rank, size, sync; a reduction over shared memory.
#include <cooperative_groups.h>
#include "feature.h"
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group g, int *buf, int v) {
  const int rank = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    buf[rank] = v;
    g.sync();
    if (rank < i) v += buf[rank + i];
    g.sync();
  }
  return v;
}

__global__ void right(double *out) {
  __shared__ int buf[64];
  cg::thread_block block = cg::this_thread_block();
  const int total = sum(block, buf, block.thread_rank() + 1);
  if (block.thread_rank() == 0) {
    out[0] = total;
    out[1] = block.size() + block.group_dim().x + block.num_threads();
    out[2] = block.thread_index().y + block.group_index().x;
    cg::sync(cg::this_thread());
  }
}

__global__ void wrong(double *out) {
  __shared__ int buf[64];
  auto block = cg::this_thread_block();
  buf[block.thread_rank()] = block.thread_rank();
  if (block.thread_rank() < 32) block.sync(); // half of the block goes past it
  else out[1] = buf[block.thread_rank() - 32];
  block.sync();
  if (block.thread_rank() == 0) out[0] = buf[63];
}

RIGHT(cg_block) { right<<<1, dim3(16, 4)>>>(out); }
WRONG(cg_block) { wrong<<<1, 64>>>(out); }
EXPECTED(cg_block) { return i == 0 ? 64 * 65 / 2 : i == 1 ? 64 + 16 + 64 : 0; }
