// The kernel of float4.published, for a multiple of four elements.
#include "float4.published.cu"
