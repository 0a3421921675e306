/* simt_hot.h - what is touched at every step, and the callbacks that are inlined into kernels. Read by the engine and, as
 * part of the shim, by instrumented code. */
#ifndef SIMT_HOT_H
#define SIMT_HOT_H
#include "../simt.h"
#ifdef __cplusplus
extern "C" {
#endif

#define SIMT_UNSET 0xf5f5f5f5u /* what locals begin with in a first run: every byte the same, a large number as float and as int */

struct Slot;

typedef struct SimtChunk { uint32_t uid, epoch; } SimtChunk; /* of 32 segments: which warp of which block, barriers that it had passed */

typedef struct SimtHot {
  int64_t fuel;         /* steps until the engine looks at budget and preemption */
  const SimtSite **last; /* where the running thread notes how far it has come */
  uint64_t trace;       /* of the addresses of all accesses */
  struct Slot *slots;   /* of the running launch; empty ones on the host */
  uint32_t detect;      /* SimtRun.detect */
  const SimtChunk *chunk; /* by number: see SimtRaces */
  uint32_t sole_chunk;  /* chunks from here on belong to the one resident block; ~0: there are several */
  uint32_t block_dim[3], grid_dim[3]; /* of the running launch; 0 on the host */
  void *address;        /* to use for an access that did not go the short way: simt_access.h */
  uint32_t unset;       /* what locals begin with, every byte the same */
} SimtHot;

extern __thread SimtHot simt_hot __attribute__((tls_model("local-exec")));

/* What kernels call when something is unusual: by way of fiber.S, where the call changes no register but r11. A kernel's loops so
 * keep in registers what they work with. */
#ifdef __cplusplus /* kernels, which clang compiles */
#define SIMT_KEEPS __attribute__((preserve_all, cold, nothrow))
#else
#define SIMT_KEEPS
#endif

void simt_out_of_steps(const SimtSite *s) SIMT_KEEPS;

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

/* What a local variable begins with: the instrumenter puts these in the place of simt_begin_4() and 8. */
__attribute__((always_inline, used)) inline uint32_t simt_hot_begin_4(void) { return simt_hot.unset; }
__attribute__((always_inline, used)) inline uint64_t simt_hot_begin_8(void) { return simt_hot.unset * 0x100000001u; }

#ifdef __cplusplus
}
#endif
#endif
