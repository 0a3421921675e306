// cg_scan.cu - cooperative groups: inclusive and exclusive scans, with a function of the user's.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include "feature.h"
namespace cg = cooperative_groups;

__global__ void right(double *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = warp.thread_rank();
  const int before = cg::exclusive_scan(warp, rank);
  const int upto = cg::inclusive_scan(warp, rank, cg::plus<int>());
  const int top = cg::inclusive_scan(warp, (rank * 7) % 32, [](int a, int b) { return a > b ? a : b; });
  out[rank] = before + 1000 * upto + 1000000.0 * top;
}

RIGHT(cg_scan) { right<<<1, 32>>>(out); }
EXPECTED(cg_scan) {
  int top = 0;
  for (int k = 0; k <= i; k++) top = k * 7 % 32 > top ? k * 7 % 32 : top;
  return i * (i - 1) / 2 + 1000 * (i * (i + 1) / 2) + 1000000.0 * top;
}
