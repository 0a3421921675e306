// launch_forms.cu - launches: with template arguments, with shared memory and a stream, out of a macro, through a function template.
#include "feature.h"

#define LAUNCH(kernel, n, ...) kernel<<<(n + 31) / 32, 32>>>(__VA_ARGS__)
#define CONFIG(grid, block) <<<grid, block>>>

template <typename T, int Scale> __global__ void store(double *out, T v, int at = 7) { out[at] = v * Scale; }
__global__ void plain(double *out, int at, float v) { out[at + threadIdx.x + 2 * blockIdx.x] = v; }
__global__ void plain1(double *out, int at, float v) {
  if (threadIdx.x == 0) out[at] = v;
}
__global__ void filled(double *out) {
  extern __shared__ int room[];
  room[threadIdx.x] = 5;
  out[6] = room[0];
}

template <int Block> void launcher(double *out, cudaStream_t stream) {
  const dim3 grid(1), block(Block);
  plain<<<grid, block, 0, stream>>>(out, 4, 4.5f);
}

RIGHT(launch_forms) {
  store<float, 2><<<1, 1>>>(out, 1.5f, 0);
  store<int, 3><<<dim3(1, 1), dim3{1, 1, 1}, 0, 0>>>(out, 2, 1);
  LAUNCH(plain1, 1, out, 2, 3);
  plain CONFIG(1, 1)(out, 3, 9);
  launcher<2>(out, nullptr);
  filled<<<1, 1, sizeof(int)>>>(out);
  store<double, 1><<<1, 1>>>(out, 8);
}
WRONG(launch_forms) {
  filled<<<1, 1>>>(out); // no shared memory asked for
}
EXPECTED(launch_forms) {
  const double value[] = {3, 6, 3, 9, 4.5, 4.5, 5, 8};
  return value[i];
}
