// cg_grid.cu - cooperative groups: a barrier of the whole grid between two steps.
#include <cooperative_groups.h>
#include "feature.h"
namespace cg = cooperative_groups;

__device__ float state[2][64];

template <bool Waits> __global__ void steps(double *out, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  state[0][i] = i;
  for (int k = 0; k < n; k++) {
    if (Waits) grid.sync();
    state[(k + 1) & 1][i] = state[k & 1][(i + 1) % grid.size()];
  }
  out[i] = state[n & 1][i];
}

RIGHT(cg_grid) { steps<true><<<4, 16>>>(out, 3); }
WRONG(cg_grid) { steps<false><<<4, 16>>>(out, 3); }
EXPECTED(cg_grid) { return (i + 3) % 64; }
