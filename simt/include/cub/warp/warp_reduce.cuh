/* cub/warp/warp_reduce.cuh - a name that sources include; everything is in simt_user_cub.h. */
#ifndef SIMT_CUB_WARP_REDUCE_CUH
#define SIMT_CUB_WARP_REDUCE_CUH
#include "../../simt_user_cub.h"
#endif
