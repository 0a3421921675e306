// messages.cu - printf, assert, trap and clocks, in kernels and in the host code beside them.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
#include <ctime>

struct Logger {
  int printf(int n) const { return n; } // a member of that name is the user's
  int clock = 0;
};

__global__ void messages(const int *in, long long *times) {
  const long long start = clock64();
  const clock_t tick = clock();
  printf("thread %u of block %u: %d\n", threadIdx.x, blockIdx.x, in[0]);
  printf("no argument\n");
  assert(in[0] > 0);
  assert(in[1] > 0 && "positive");
  if (in[2] < 0) __trap();
  times[0] = clock64() - start;
  times[1] = clock() - tick;
}

__device__ int checked(const int *in, int i, int n) {
  assert(i >= 0 && i < n);
  return in[i];
}

__global__ void inlined(const int *in, int *out, int n) { out[threadIdx.x] = checked(in, threadIdx.x, n); }

int host_messages(int n) {
  const Logger log;
  const std::clock_t start = std::clock();
  assert(n > 0);
  std::printf("host %d\n", n);
  printf("%s\n", "host");
  return log.printf(n) + log.clock + (clock() >= start);
}
