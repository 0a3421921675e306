/* device_total.cu - sums by cub for the whole device, one of them of squares. A call that is given one element too many reads behind the array. */
#include <cstdio>
#include <cub/cub.cuh>

struct Square {
  __host__ __device__ float operator()(float v) const { return v * v; }
};

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<float>(i % 4);
}

#ifdef FAULT
enum { EXTRA = 1 };
#else
enum { EXTRA = 0 };
#endif

static float total(const float *x, float *out, int n) {
  float host = 0;
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(memory, bytes, x, out, n);
  cudaMalloc(&memory, bytes);
  cub::DeviceReduce::Sum(memory, bytes, x, out, n + EXTRA); // FAULT oob-global
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return host;
}

static float total_of_squares(const float *x, float *out, int n) {
  float host = 0;
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::TransformReduce(memory, bytes, x, out, n, cub::Sum(), Square(), 0.0f);
  cudaMalloc(&memory, bytes);
  cub::DeviceReduce::TransformReduce(memory, bytes, x, out, n, cub::Sum(), Square(), 0.0f);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return host;
}

int main() {
  const int n = 1000;
  float *x, *out;
  cudaMalloc(&x, n * sizeof *x);
  cudaMalloc(&out, sizeof *out);
  fill<<<(n + 127) / 128, 128>>>(x, n);
  int good = total(x, out, n) == 1500.0f && total_of_squares(x, out, n) == 3500.0f;
  cudaFree(x);
  cudaFree(out);
  puts(good ? "PASS" : "FAIL");
  return !good;
}
