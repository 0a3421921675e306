/* cub/util_type.cuh - a name that sources include; what there is of it is in simt_user_cub_device.h. */
#ifndef SIMT_CUB_UTIL_TYPE_CUH
#define SIMT_CUB_UTIL_TYPE_CUH
#include "../simt_user_cub_device.h"
#endif
