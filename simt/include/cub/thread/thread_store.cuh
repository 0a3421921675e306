/* cub/thread/thread_store.cuh - a name that sources include; everything is in simt_user_cub_iterator.h. */
#ifndef SIMT_CUB_THREAD_THREAD_STORE_CUH
#define SIMT_CUB_THREAD_THREAD_STORE_CUH
#include "../../simt_user_cub_iterator.h"
#endif
