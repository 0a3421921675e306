/* cub/device/device_segmented_reduce.cuh - a name that sources include; everything is in simt_user_cub_device.h. */
#ifndef SIMT_CUB_DEVICE_DEVICE_SEGMENTED_REDUCE_CUH
#define SIMT_CUB_DEVICE_DEVICE_SEGMENTED_REDUCE_CUH
#include "../../simt_user_cub_device.h"
#endif
