/* stream.cu - host functions that do more than one launch: kernels behind each other, cudaMemset between them. Rows:
 * stream.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace stream {

__global__ void add_kernel(int *out, const int *in) { out[threadIdx.x] += in[threadIdx.x]; }
__global__ void copy_kernel(int *out, const int *in) { out[threadIdx.x] = in[threadIdx.x]; }

/* case stream_two_launches */
__global__ void reverse_kernel(int *to, const int *from, int n) { to[threadIdx.x] = from[n - 1 - threadIdx.x]; }
LAUNCHER(stream_two_launches) {
  copy_kernel<<<1, n>>>(acc, in);
  reverse_kernel<<<1, n>>>(out, acc, n);
}

/* case stream_memset */
LAUNCHER(stream_memset) {
  cudaMemsetAsync(out, 0, n * sizeof *out);
  add_kernel<<<1, n>>>(out, in);
}

/* case stream_memset_twice */
LAUNCHER(stream_memset_twice) {
  cudaMemset(out, 0xff, n * sizeof *out);
  add_kernel<<<1, n>>>(out, in);
  cudaMemset(out, 0, n / 2 * sizeof *out);
  add_kernel<<<1, n>>>(out, in);
}

/* case stream_ticket */
__global__ void ticket_kernel(int *out, const int *in, int *ticket) {
  if (atomicAdd(ticket, 1) == (int)gridDim.x - 1) out[0] = 5; else out[blockIdx.x + 1] = in[0];
}
__global__ void check_kernel(int *out, int n) {
  if (threadIdx.x == 0 && out[0] == 5) for (int i = 1; i < n; i++) out[i] = i;
}
LAUNCHER(stream_ticket) {
  int *ticket = out + n - 1;
  cudaMemsetAsync(ticket, 0, sizeof *ticket, nullptr);
  ticket_kernel<<<4, 1>>>(out, in, ticket);
  check_kernel<<<1, 32>>>(out, n);
}

/* case stream_memset_bytes */
__global__ void bytes_kernel(unsigned char *out) {
  if (threadIdx.x % 4 >= 2) out[threadIdx.x] = out[threadIdx.x ^ 2];
}
LAUNCHER(stream_memset_bytes) {
  for (int i = 0; i < n; i++) cudaMemset(out + i, i, 2);
  bytes_kernel<<<1, 4 * n>>>((unsigned char *)out);
}

/* case stream_memset_part */
LAUNCHER(stream_memset_part) {
  cudaMemset(out, 0, (n - 1) * sizeof *out);
  add_kernel<<<1, n - 1>>>(out, in);
}

/* case stream_memset_short */
__global__ void add_all_kernel(int *out, const int *in) { out[threadIdx.x] += in[threadIdx.x]; /*A*/ }
LAUNCHER(stream_memset_short) {
  cudaMemset(out, 0, (n - 1) * sizeof *out);
  add_all_kernel<<<1, n>>>(out, in);
}

/* case stream_memset_in_part */
__global__ void add_words_kernel(int *out, const int *in) { out[threadIdx.x] += in[threadIdx.x]; /*A*/ }
LAUNCHER(stream_memset_in_part) {
  cudaMemset(out, 0, n * sizeof *out - 1);
  add_words_kernel<<<1, n>>>(out, in);
}

/* case stream_memset_too_long */
LAUNCHER(stream_memset_too_long) {
  if (cudaMemset(out, 0, n * sizeof *out + 1) == cudaErrorInvalidValue) /*A*/
    copy_kernel<<<1, n>>>(out, in);
}

/* case stream_memset_of_nothing */
LAUNCHER(stream_memset_of_nothing) {
  int host = 3;
  if (cudaMemset(&host, 0, sizeof host) == cudaErrorInvalidValue && host == 3) /*A*/
    copy_kernel<<<1, n>>>(out, in);
}

} // namespace stream
