// The kernel of warp_row_float4.published, for rows of a multiple of four columns.
#include "warp_row_float4.published.cu"
