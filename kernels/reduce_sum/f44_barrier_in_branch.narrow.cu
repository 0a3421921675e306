// The kernel of f44_barrier_in_branch.published, for blocks of a single warp.
#include "f44_barrier_in_branch.published.cu"
