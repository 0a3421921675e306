// The kernel of float4.published-2, for arrays that start on 16 bytes.
#include "float4.published-2.cu"
