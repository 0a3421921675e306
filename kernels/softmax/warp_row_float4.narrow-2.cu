// The kernel of warp_row_float4.published-2, for rows that all start on 16 bytes.
#include "warp_row_float4.published-2.cu"
