// The kernel of warp_row.published-2, for blocks of one warp.
#include "warp_row.published-2.cu"
