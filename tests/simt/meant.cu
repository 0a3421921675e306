/* meant.cu - races that a comment says are meant, and comments that say so elsewhere. Rows: meant.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace meant {

/* case meant_behind */
__global__ void behind_kernel(int *out) {
  out[0] = threadIdx.x; /*A*/ // warpfuzz: race-ok: any thread's number will do
}
LAUNCHER(meant_behind) { behind_kernel<<<1, 64>>>(out); }

/* case meant_above */
__global__ void above_kernel(int *out) {
  // warpfuzz: race-ok: any block's number will do,
  // and this goes on with the explanation
  out[0] = blockIdx.x; /*A*/
}
LAUNCHER(meant_above) { above_kernel<<<4, 1>>>(out); }

/* case meant_unsaid */ // the first without its comment
__global__ void unsaid_kernel(int *out) {
  out[0] = threadIdx.x; /*A*/
}
LAUNCHER(meant_unsaid) { unsaid_kernel<<<1, 64>>>(out); }

/* case meant_unsaid_blocks */ // the second without its comment
__global__ void unsaid_blocks_kernel(int *out) {
  out[0] = blockIdx.x; /*A*/
}
LAUNCHER(meant_unsaid_blocks) { unsaid_blocks_kernel<<<4, 1>>>(out); }

/* case meant_line_before */
__global__ void line_before_kernel(int *out) {
  int t = threadIdx.x; // warpfuzz: race-ok: of this line
  out[0] = t; /*A*/
}
LAUNCHER(meant_line_before) { line_before_kernel<<<1, 64>>>(out); }

/* case meant_line_behind */
__global__ void line_behind_kernel(int *out) {
  out[0] = threadIdx.x; /*A*/
  /* warpfuzz: race-ok: of the next line */
  out[1 + threadIdx.x] = 7;
}
LAUNCHER(meant_line_behind) { line_behind_kernel<<<1, 63>>>(out); }

/* case meant_two_above */ // only the first line of code is meant
__global__ void two_above_kernel(int *out) {
  // warpfuzz: race-ok: either thread may win
  out[0] = threadIdx.x; /*A*/
  out[1] = threadIdx.x; /*B*/
}
LAUNCHER(meant_two_above) { two_above_kernel<<<1, 64>>>(out); }

/* case meant_one_side */
__global__ void one_side_kernel(const int *in, int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x]; /*A*/
  out[threadIdx.x] = s[63 - threadIdx.x] * 0 + 1; /*B*/ /* warpfuzz: race-ok: old or new, it is multiplied by 0 */
}
LAUNCHER(meant_one_side) { one_side_kernel<<<1, 64>>>(in, out); }

/* case meant_other_class */
__global__ void other_class_kernel(int *out, int n) {
  out[threadIdx.x ? n : 0] = 5; /*A*/ // warpfuzz: race-ok: not that there is one
}
LAUNCHER(meant_other_class) { other_class_kernel<<<1, 33>>>(out, n); }

/* case meant_helper */
__device__ void note(int *flag) {
  *flag = threadIdx.x; /*A*/ // warpfuzz: race-ok: any thread's number will do
}
__global__ void helper_kernel(int *out) {
  if (threadIdx.x < 32) note(out); /*B*/
  else note(out); /*C*/
}
LAUNCHER(meant_helper) { helper_kernel<<<1, 64>>>(out); }

/* case meant_call */ // what is said of the call is not said of what is called
__device__ void mark(int *flag) {
  *flag = threadIdx.x; /*A*/
}
__global__ void call_kernel(int *out) {
  mark(out); /*B*/ // warpfuzz: race-ok: of this line
}
LAUNCHER(meant_call) { call_kernel<<<1, 64>>>(out); }

/* case meant_same_value */
__global__ void same_value_kernel(int *out) {
  out[0] = 9; /*A*/ // warpfuzz: race-ok: all write 9
}
LAUNCHER(meant_same_value) { same_value_kernel<<<1, 64>>>(out); }

/* case meant_lock_step */
__global__ void lock_step_kernel(const int *in, int *out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 32] = 0;
  __syncwarp();
  // warpfuzz: race-ok: built for devices that run warps in lock step
  s[threadIdx.x] += s[threadIdx.x + 1]; /*A*/
  out[threadIdx.x] = threadIdx.x;
}
LAUNCHER(meant_lock_step) { lock_step_kernel<<<1, 32>>>(in, out); }

/* case meant_nothing */ // no race, and the comment does no harm
__global__ void nothing_kernel(int *out) {
  // warpfuzz: race-ok: there is none
  out[threadIdx.x] = 2;
}
LAUNCHER(meant_nothing) { nothing_kernel<<<1, 64>>>(out); }

} // namespace meant
