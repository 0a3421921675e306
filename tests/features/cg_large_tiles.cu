// cg_large_tiles.cu - cooperative groups: tiles of several warps, partitions by a label.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "feature.h"
namespace cg = cooperative_groups;

template <bool Waits> __global__ void large(double *out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  auto half = cg::tiled_partition<128>(block);
  const int t = threadIdx.x;
  for (int k = 0; k < 1 + static_cast<int>(tile.meta_group_rank()); k++) { // tiles go their own ways
    values[t] = t + k;
    if (Waits) tile.sync();
    out[t] = values[t / 64 * 64 + 63 - t % 64];
    if (Waits) tile.sync();
  }
  const int sum = cg::reduce(tile, t, cg::plus<int>()), most = cg::reduce(half, t, cg::greater<int>());
  out[256 + t] = sum + 1e5 * most + 1e9 * tile.any(t == 70) + 1e10 * half.all(t < 128) + 1e11 * tile.shfl(t % 10, 3);
  auto warp = cg::tiled_partition<32>(tile);
  out[512 + t] = warp.meta_group_size() + 10.0 * warp.meta_group_rank() + 100.0 * tile.meta_group_size() + 1000.0 * half.thread_rank();
  auto same = cg::labeled_partition(warp, t % 3);
  auto few = cg::binary_partition(warp, t % 32 < 5);
  out[768 + t] = same.size() + 100 * same.thread_rank() + 1e4 * few.size() + 1e6 * few.thread_rank() + 1e8 * cg::reduce(same, 1, cg::plus<int>());
}

RIGHT(cg_large_tiles) { large<true><<<1, 256>>>(out); }
WRONG(cg_large_tiles) { large<false><<<1, 256>>>(out); }
EXPECTED(cg_large_tiles) {
  const int t = i % 256, l = t % 32, tile = t / 64;
  if (i < 256) return t / 64 * 64 + 63 - t % 64 + tile;
  if (i < 512)
    return 64 * tile * 64 + 63 * 32 + 1e5 * (t / 128 * 128 + 127) + 1e9 * (tile == 1) + 1e10 * (t < 128) + 1e11 * ((tile * 64 + 3) % 10);
  if (i < 768) return 2 + 10.0 * (t / 32 % 2) + 100.0 * 4 + 1000.0 * (t % 128);
  int size = 0, rank = 0;
  for (int k = 0; k < 32; k++) {
    size += (t - l + k) % 3 == t % 3;
    rank += k < l && (t - l + k) % 3 == t % 3;
  }
  return size + 100 * rank + 1e4 * (l < 5 ? 5 : 27) + 1e6 * (l < 5 ? l : l - 5) + 1e8 * size;
}
