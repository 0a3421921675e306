/* simt_hot.h - what is touched at every step, and the two callbacks that are inlined into kernels. Read by the engine and, as
 * part of the shim, by instrumented code. */
#ifndef SIMT_HOT_H
#define SIMT_HOT_H
#include "../simt.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SimtHot {
  int64_t fuel;         /* steps until the engine looks at budget and preemption */
  const SimtSite **last; /* where the running thread notes how far it has come */
  uint64_t trace;       /* of the addresses of all accesses */
} SimtHot;

extern __thread SimtHot simt_hot __attribute__((tls_model("local-exec")));

void simt_out_of_steps(const SimtSite *s);

/* Loop header. */
__attribute__((always_inline, used)) inline void simt_step(const SimtSite *s) {
  if (__builtin_expect(--simt_hot.fuel < 0, 0)) simt_out_of_steps(s);
}

/* Join of control flow, or way into a loop, in a function with barriers. */
__attribute__((always_inline, used)) inline void simt_pass(const SimtSite *s) { *simt_hot.last = s; }

#ifdef __cplusplus
}
#endif
#endif
