/* cub/block/block_store.cuh - a name that sources include; everything is in simt_user_cub_exchange.h. */
#ifndef SIMT_CUB_BLOCK_BLOCK_STORE_CUH
#define SIMT_CUB_BLOCK_BLOCK_STORE_CUH
#include "../../simt_user_cub_exchange.h"
#endif
