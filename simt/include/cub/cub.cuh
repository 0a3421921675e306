/* cub/cub.cuh - all of cub that there is. */
#ifndef SIMT_CUB_CUB_CUH
#define SIMT_CUB_CUB_CUH
#include "../simt_user_cub_device.h"
#include "../simt_user_cub_sort.h"
#endif
