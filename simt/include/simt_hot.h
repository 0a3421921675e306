/* simt_hot.h - what is touched at every step, and the callbacks that are inlined into kernels. Read by the engine and, as
 * part of the shim, by instrumented code. */
#ifndef SIMT_HOT_H
#define SIMT_HOT_H
#include "../simt.h"
#ifdef __cplusplus
extern "C" {
#endif

struct Slot;

typedef struct SimtHot {
  int64_t fuel;         /* steps until the engine looks at budget and preemption */
  const SimtSite **last; /* where the running thread notes how far it has come */
  uint64_t trace;       /* of the addresses of all accesses */
  struct Slot *slots;   /* of the running launch; empty ones on the host */
  uint32_t detect;      /* SimtRun.detect */
  uint32_t block_dim[3], grid_dim[3]; /* of the running launch; 0 on the host */
} SimtHot;

extern __thread SimtHot simt_hot __attribute__((tls_model("local-exec")));

void simt_out_of_steps(const SimtSite *s);

/* Loop header. */
__attribute__((always_inline, used)) inline void simt_step(const SimtSite *s) {
  if (__builtin_expect(--simt_hot.fuel < 0, 0)) simt_out_of_steps(s);
}

/* Join of control flow, or way into a loop, in a function with barriers. */
__attribute__((always_inline, used)) inline void simt_pass(const SimtSite *s) { *simt_hot.last = s; }

/* blockDim and gridDim: the instrumenter puts these in the place of simt_block_dim_x() ... */
#define SIMT_HOT_DIM(name)                                                                     \
  __attribute__((always_inline, used, const)) inline unsigned simt_hot_##name##_x(void) { return simt_hot.name[0]; } \
  __attribute__((always_inline, used, const)) inline unsigned simt_hot_##name##_y(void) { return simt_hot.name[1]; } \
  __attribute__((always_inline, used, const)) inline unsigned simt_hot_##name##_z(void) { return simt_hot.name[2]; }
SIMT_HOT_DIM(block_dim)
SIMT_HOT_DIM(grid_dim)
#undef SIMT_HOT_DIM

#ifdef __cplusplus
}
#endif
#endif
