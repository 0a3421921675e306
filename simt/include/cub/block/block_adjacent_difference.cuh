/* cub/block/block_adjacent_difference.cuh - a name that sources include; everything is in simt_user_cub_sort.h. */
#ifndef SIMT_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH
#define SIMT_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH
#include "../../simt_user_cub_sort.h"
#endif
