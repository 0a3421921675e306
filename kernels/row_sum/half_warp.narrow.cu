// The kernel of half_warp.published, whose contract says that sums are of 16 bits.
#include "half_warp.published.cu"
