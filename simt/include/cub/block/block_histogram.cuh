/* cub/block/block_histogram.cuh - a name that sources include; everything is in simt_user_cub_sort.h. */
#ifndef SIMT_CUB_BLOCK_BLOCK_HISTOGRAM_CUH
#define SIMT_CUB_BLOCK_BLOCK_HISTOGRAM_CUH
#include "../../simt_user_cub_sort.h"
#endif
