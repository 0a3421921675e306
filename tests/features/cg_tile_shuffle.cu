// cg_tile_shuffle.cu - cooperative groups: shuffles and votes of tiles smaller than a warp.
#include <cooperative_groups.h>
#include "feature.h"
using namespace cooperative_groups;

struct Pair {
  double value;
  int index;
};

__global__ void right(double *out) {
  auto tile = tiled_partition<8>(this_thread_block());
  auto half = tiled_partition<4>(tile);
  float v = threadIdx.x;
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) v += tile.shfl_down(v, offset);
  v = tile.shfl(v, 0);
  Pair p = {double(threadIdx.x), int(tile.meta_group_rank())};
  p = half.shfl_xor(p, 3);
  const unsigned odd = tile.ballot(threadIdx.x & 1);
  const int up = tile.shfl_up(int(tile.thread_rank()), 2);
  const int any = half.any(half.thread_rank() == 3) + tile.all(threadIdx.x < 8) + half.meta_group_rank();
  out[threadIdx.x] = v + 1000 * p.value + 1e6 * p.index + 1e8 * odd + 1e11 * up + 1e13 * any;
}

__global__ void wrong(double *out) {
  auto tile = tiled_partition<8>(this_thread_block());
  int v = threadIdx.x;
  if (tile.thread_rank() != 3) v = tile.shfl(v, 3);
  out[threadIdx.x] = v;
}

RIGHT(cg_tile_shuffle) { right<<<1, 32>>>(out); }
WRONG(cg_tile_shuffle) { wrong<<<1, 32>>>(out); }
EXPECTED(cg_tile_shuffle) {
  const int tile = i / 8, rank = i % 8;
  const int up = rank < 2 ? rank : rank - 2, any = 1 + (tile == 0) + rank / 4;
  return 64 * tile + 28 + 1000 * (i ^ 3) + 1e6 * tile + 1e8 * 0xaa + 1e11 * up + 1e13 * any;
}
