// The kernel of shuffle.published, for blocks of 32 warps.
#include "shuffle.published.cu"
