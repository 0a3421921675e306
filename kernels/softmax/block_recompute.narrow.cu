// The kernel of block_recompute.published, for blocks of whole warps.
#include "block_recompute.published.cu"
