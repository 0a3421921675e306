// The kernel of block_shuffle_zero_identity.published, for blocks of 32 warps: no slot is padding.
#include "block_shuffle_zero_identity.published.cu"
