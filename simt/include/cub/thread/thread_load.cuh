/* cub/thread/thread_load.cuh - a name that sources include; everything is in simt_user_cub_iterator.h. */
#ifndef SIMT_CUB_THREAD_THREAD_LOAD_CUH
#define SIMT_CUB_THREAD_THREAD_LOAD_CUH
#include "../../simt_user_cub_iterator.h"
#endif
