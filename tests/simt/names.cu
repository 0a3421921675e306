/* names.cu - what reports call the array or variable that an access is to, and its element. One thread of each kernel does
 * something wrong. Rows: names.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace names {

/* case name_scalar */
__global__ void scalar_kernel(int *out) {
  __shared__ int count;
  if (threadIdx.x == 3) (&count)[1] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_scalar) { scalar_kernel<<<1, 32>>>(out); }

/* case name_row */
__global__ void row_kernel(int *out, int n) {
  __shared__ short row[40];
  if (threadIdx.x == 3) row[n] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_row) { row_kernel<<<1, 32>>>(out, 41); }

/* case name_tile */
__global__ void tile_kernel(int *out, int n) {
  __shared__ float tile[8][9];
  if (threadIdx.x == 3) tile[n][2] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_tile) { tile_kernel<<<1, 32>>>(out, 8); }

/* case name_tile_before */
__global__ void tile_before_kernel(int *out, int n) {
  __shared__ float tile[8][9];
  if (threadIdx.x == 3) tile[n][2] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_tile_before) { tile_before_kernel<<<1, 32>>>(out, -1); }

/* case name_cube */
__global__ void cube_kernel(int *out, int n) {
  __shared__ int cube[2][3][4];
  if (threadIdx.x == 3) cube[n][1][3] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_cube) { cube_kernel<<<1, 32>>>(out, 2); }

/* case name_four_dims */
__global__ void four_dims_kernel(int *out, int n) {
  __shared__ char box[2][2][2][2];
  if (threadIdx.x == 3) box[n][0][0][1] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_four_dims) { four_dims_kernel<<<1, 32>>>(out, 2); }

/* case name_member */
struct Pair { int key, value; };
__global__ void member_kernel(int *out, int n) {
  __shared__ Pair pairs[32];
  if (threadIdx.x == 3) pairs[n].value = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_member) { member_kernel<<<1, 32>>>(out, 32); }

/* case name_dynamic */
extern __shared__ double buffer[];
__global__ void dynamic_kernel(int *out) {
  if (threadIdx.x == 3) buffer[5] = 7; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(name_dynamic) { dynamic_kernel<<<1, 32, 40>>>(out); }

/* case name_local */
__global__ void local_kernel(int *out, int n) {
  int ring[4][3] = {};
  if (threadIdx.x == 3) ring[n][1] = 7; /*A*/
  out[threadIdx.x] = ring[n & 1][2] + 1;
}
LAUNCHER(name_local) { local_kernel<<<1, 32>>>(out, 4); }

/* case name_local_of_helper */
__device__ int sum_of(const int *from, int n) {
  int window[4] = {1, 1, 1, 1};
  if (threadIdx.x == 3) window[n] = from[0]; /*A*/
  return window[n & 3];
}
__global__ void helper_kernel(const int *in, int *out) {
  int window[2] = {0, 0};
  window[threadIdx.x & 1] = 1;
  out[threadIdx.x] = sum_of(in, 6) * (window[0] + window[1]);
}
LAUNCHER(name_local_of_helper) { helper_kernel<<<1, 32>>>(in, out); }

/* case name_argument */ // an array that is passed on is named where it was declared
__device__ void set(int *v, int i) {
  v[i] = 7; /*A*/
}
__global__ void argument_kernel(int *out, int n) {
  int counts[5] = {};
  if (threadIdx.x == 3) set(counts, n); /*B*/
  out[threadIdx.x] = counts[n & 3] + 1;
}
LAUNCHER(name_argument) { argument_kernel<<<1, 32>>>(out, 5); }

} // namespace names
