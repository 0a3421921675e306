// The kernel of block_shuffle.published-2, for blocks of whole warps.
#include "block_shuffle.published-2.cu"
