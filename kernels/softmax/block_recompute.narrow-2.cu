// The kernel of block_recompute.published-2, for blocks of whole warps, one at least.
#include "block_recompute.published-2.cu"
