/* gpu_kernels.h - ops and variants for tests of the GPU leg on the fake device, whose memory is the host's: most of them are host
 * code that does to device memory what a kernel would do; those that need the engine launch kernels of tests/simt. */
#ifndef GPU_KERNELS_H
#define GPU_KERNELS_H
#include "../gpu/gpu.h"

/* c = a + b over n elements; a case's scalars are for the variants. */
enum { GPU_A, GPU_B, GPU_C, GPU_SCRATCH };
extern const WfOp gpu_op;
extern const WfOp gpu_zero_op, gpu_minus_inf_op; /* the same with an output that begins so */

extern const WfVariant gpu_add, gpu_subtract; /* right */
extern const WfVariant gpu_halves; /* c = a - b, of tensors of f16 */
/* And writes GPU_POKE to word scalar[0] of tensor scalar[1], or of 12 bytes of scratch memory. */
extern const WfVariant gpu_poke;
#define GPU_POKE 0x5a5aa5a5u
extern const WfVariant gpu_leaves; /* elements 2, 3 and the last one are not written */
/* With 12 bytes of scratch memory. c holds, as floats: places of a, b, c, scratch in 256 bytes, dim, scalars, grid and block in
 * turn, shared memory; and the old bits of c[GPU_OLD_C] and of the first and last word of scratch memory. */
extern const WfVariant gpu_shows;
enum { GPU_OLD_C = 17, GPU_OLD_FIRST, GPU_OLD_LAST, GPU_SHOWN };
extern const WfVariant gpu_copies_beyond; /* and copies the word behind a to the one behind c */
extern const WfVariant gpu_prints; /* "stdout" to stdout */

/* by kernels of the engine */
extern const WfVariant gpu_refused, gpu_address, gpu_misaligned, gpu_assert, gpu_trap, gpu_spin;
extern const WfVariant gpu_race; /* the bits of c[0] are the number of one of the blocks, or threads */

/* host code that takes the process along, or does not end */
extern const WfVariant gpu_divides, gpu_exits /* status 3 */, gpu_waits, gpu_lingers /* a second */;
extern const WfVariant gpu_slow;   /* right, once gpu_shared->go is set */

/* Shared by the test and its children. */
typedef struct GpuShared {
  volatile int pid;     /* that ran gpu_add, gpu_waits or gpu_slow last, set when it begins */
  volatile int go;
  volatile int outcome; /* for tests */
} GpuShared;
extern GpuShared *gpu_shared; /* mapped by gpu_kernels_begin(), before wf_gpu_create() */
void gpu_kernels_begin(void);

#endif
