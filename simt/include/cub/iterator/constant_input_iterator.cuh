/* cub/iterator/constant_input_iterator.cuh - a name that sources include; everything is in simt_user_cub_iterator.h. */
#ifndef SIMT_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH
#define SIMT_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH
#include "../../simt_user_cub_iterator.h"
#endif
