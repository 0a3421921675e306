/* cub/thread/thread_operators.cuh - a name that sources include; everything is in simt_user_cub.h. */
#ifndef SIMT_CUB_THREAD_THREAD_OPERATORS_CUH
#define SIMT_CUB_THREAD_THREAD_OPERATORS_CUH
#include "../../simt_user_cub.h"
#endif
