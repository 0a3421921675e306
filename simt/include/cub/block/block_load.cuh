/* cub/block/block_load.cuh - a name that sources include; everything is in simt_user_cub.h. */
#ifndef SIMT_CUB_BLOCK_LOAD_CUH
#define SIMT_CUB_BLOCK_LOAD_CUH
#include "../../simt_user_cub.h"
#endif
