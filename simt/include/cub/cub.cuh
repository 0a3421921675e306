/* cub/cub.cuh - a name that sources include; everything is in simt_user_cub.h. */
#ifndef SIMT_CUB_CUB_CUH
#define SIMT_CUB_CUB_CUH
#include "../simt_user_cub.h"
#endif
