/* cuda_pipeline_primitives.h - asynchronous copies of a thread, committed in groups and waited for in their order. */
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"
#include "simt_user_copy.h"

/* bytes: 4, 8 or 16; the last `zeros` of them are not copied, but zero. */
SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  simt::copy_async(to, from, static_cast<unsigned>(bytes), static_cast<unsigned>(bytes - zeros));
}
SIMT_INLINE void __pipeline_commit() { simt_op_copies_commit(nullptr); }
SIMT_INLINE void __pipeline_wait_prior(size_t groups_left) { simt_op_copies_wait(static_cast<unsigned>(groups_left), nullptr); }

#endif
