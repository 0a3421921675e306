/* cub/block/block_radix_sort.cuh - a name that sources include; everything is in simt_user_cub_sort.h. */
#ifndef SIMT_CUB_BLOCK_BLOCK_RADIX_SORT_CUH
#define SIMT_CUB_BLOCK_BLOCK_RADIX_SORT_CUH
#include "../../simt_user_cub_sort.h"
#endif
