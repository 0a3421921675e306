// The kernel of float4.published, for lengths that are a multiple of 4 and arrays that start on 16 bytes.
#include "float4.published.cu"
