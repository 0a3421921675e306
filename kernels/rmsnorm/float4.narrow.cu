// The kernel of float4.published, for blocks of a multiple of four warps.
#include "float4.published.cu"
