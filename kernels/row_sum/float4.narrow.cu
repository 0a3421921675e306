// The kernel of float4.published, for a multiple of four columns.
#include "float4.published.cu"
