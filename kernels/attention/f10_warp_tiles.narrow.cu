// The kernel of f10_warp_tiles.published, for blocks of one warp.
#include "f10_warp_tiles.published.cu"
