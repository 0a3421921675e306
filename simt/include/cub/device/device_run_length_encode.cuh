/* cub/device/device_run_length_encode.cuh - a name that sources include; everything is in simt_user_cub_device.h. */
#ifndef SIMT_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH
#define SIMT_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH
#include "../../simt_user_cub_device.h"
#endif
