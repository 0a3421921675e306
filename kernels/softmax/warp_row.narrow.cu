// The kernel of warp_row.published, for rows of finite numbers.
#include "warp_row.published.cu"
