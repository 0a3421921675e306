// The kernel of float4.published-2, where every row starts on 16 bytes.
#include "float4.published-2.cu"
