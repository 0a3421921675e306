/* cub/block/block_reduce.cuh - a name that sources include; everything is in simt_user_cub_block.h. */
#ifndef SIMT_CUB_BLOCK_BLOCK_REDUCE_CUH
#define SIMT_CUB_BLOCK_BLOCK_REDUCE_CUH
#include "../../simt_user_cub_block.h"
#endif
