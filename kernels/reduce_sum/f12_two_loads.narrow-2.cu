// The kernel of f12_two_loads.published-2, for blocks of 32 warps.
#include "f12_two_loads.published-2.cu"
