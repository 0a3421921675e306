/* host.cu - launchers whose host code does not live to the end, and such as do. Rows: host.def. */
#include "launcher.h"
#include <cassert>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace host {

__global__ void copy_kernel(int *out, const int *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

/* case host_divide */
static int blocks_for(int rows, int width) {
  return (rows + 7) / (256 / width); /*A*/
}
LAUNCHER(host_divide) {
  copy_kernel<<<blocks_for(n, 512), 64>>>(out, in, n);
}
LAUNCHER(host_divide_repaired) { copy_kernel<<<blocks_for(n, 32), 64>>>(out, in, n); }

/* case host_modulo */
LAUNCHER(host_modulo) {
  const unsigned per_block = n / 64;
  copy_kernel<<<1 + 7 % per_block, 64>>>(out, in, n); /*A*/
}
LAUNCHER(host_modulo_repaired) {
  const unsigned per_block = n / 64 + 1;
  copy_kernel<<<1 + 7 % per_block, 64>>>(out, in, n);
}

/* case host_least */
template <int Least> static int quotient(int divisor) {
  return Least / divisor; /*A*/
}
LAUNCHER(host_least) { copy_kernel<<<(quotient<INT_MIN>(n - 33) & 1) + 1, 64>>>(out, in, n); }
LAUNCHER(host_least_repaired) { copy_kernel<<<(quotient<INT_MIN + 1>(n - 33) & 1) + 1, 64>>>(out, in, n); }

/* case host_least_long */
template <long Least> static long rest(long divisor) {
  return Least % divisor; /*A*/
}
LAUNCHER(host_least_long) { copy_kernel<<<rest<LONG_MIN>(n - 33) + 1, 64>>>(out, in, n); }
LAUNCHER(host_least_long_repaired) { copy_kernel<<<rest<LONG_MIN + 1>(n - 33) + 1, 64>>>(out, in, n); }

/* case host_overflow */
LAUNCHER(host_overflow) { copy_kernel<<<(n + INT_MAX) / INT_MIN + 1, 64>>>(out, in, n); } /* wraps, and does no harm here */

/* case host_null */
struct Plan { int pad[7], blocks; };
template <bool There> static const Plan *plan_of(int n) {
  static const Plan plan = {{}, 1};
  return There || n == 1000 ? &plan : nullptr;
}
LAUNCHER(host_null) {
  const volatile Plan *p = plan_of<false>(n);
  copy_kernel<<<p->blocks, 64>>>(out, in, n); /*A*/
}
LAUNCHER(host_null_repaired) {
  const volatile Plan *p = plan_of<true>(n);
  copy_kernel<<<p->blocks, 64>>>(out, in, n);
}

/* case host_device_read */
LAUNCHER(host_device_read) {
  copy_kernel<<<in[0], 64>>>(out, in, n); /*A*/
}

/* case host_device_write */
LAUNCHER(host_device_write) {
  copy_kernel<<<1, 64>>>(out, in, n);
  memset(out, 0, n); /*A*/
}

/* case host_library */
LAUNCHER(host_library) {
  char *volatile nowhere = nullptr;
  copy_kernel<<<strlen(nowhere), 64>>>(out, in, n);
}
LAUNCHER(host_library_repaired) {
  char one[] = "1", *volatile somewhere = one;
  copy_kernel<<<strlen(somewhere), 64>>>(out, in, n);
}

/* case host_abort */
LAUNCHER(host_abort) {
  copy_kernel<<<1, 64>>>(out, in, n);
  if (n % 64) abort();
}
LAUNCHER(host_abort_not) { host_abort_on(out, in, acc, n); }

/* case host_assert */
static void check(int n) {
  assert(n % 64 == 0); /*A*/
}
LAUNCHER(host_assert) {
  check(n);
  copy_kernel<<<1, 64>>>(out, in, n);
}
LAUNCHER(host_assert_holds) { host_assert_on(out, in, acc, n); }

/* case host_exit */
LAUNCHER(host_exit) {
  copy_kernel<<<1, 64>>>(out, in, n);
  if (n % 64) exit(EXIT_FAILURE); /*A*/
}
LAUNCHER(host_exit_not) { host_exit_on(out, in, acc, n); }

/* case host_exception */
LAUNCHER(host_exception) {
  const std::vector<int> blocks(1, 1);
  copy_kernel<<<blocks.at(n), 64>>>(out, in, n);
}
LAUNCHER(host_exception_caught) {
  const std::vector<int> blocks(1, 1);
  int grid = 1;
  try {
    grid = blocks.at(n);
  } catch (const std::exception &) {
  }
  copy_kernel<<<grid, 64>>>(out, in, n);
}

/* case host_recursion */
static int depth_of(volatile int *n) {
  volatile int here[64] = {*n};
  *n += 1;
  return *n < 0 ? here[0] : 1 + depth_of(n) + here[1];
}
LAUNCHER(host_recursion) {
  volatile int depth = 0;
  copy_kernel<<<depth_of(&depth), 64>>>(out, in, n);
}

/* case host_wrong_kernel */
__global__ void one_past_kernel(int *out, int n) {
  out[n + threadIdx.x] = 1; /*A*/
}
LAUNCHER(host_wrong_kernel) { /* a fault each of kernel and host */
  one_past_kernel<<<1, 1>>>(out, n);
  copy_kernel<<<n / (n - 32), 64>>>(out, in, n); /*B*/
}

} // namespace host
