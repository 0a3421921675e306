// The kernel of f48_warps_per_row.published, for rows that a single warp takes.
#include "f48_warps_per_row.published.cu"
