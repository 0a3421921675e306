// The kernel of warp_row.published, for blocks of one warp.
#include "warp_row.published.cu"
