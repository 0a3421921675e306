// Exclusive prefix sum of any length: blocks scan their tiles, the sums of the tiles are scanned in turn, and added.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <cuda_runtime.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

const int kThreads = 256;

// Inclusive, in log2(kThreads) steps with two buffers.
__global__ void scanTiles(const int *in, int *out, int *sums, int n) {
  __shared__ int buffer[2][kThreads];
  int i = blockIdx.x * kThreads + threadIdx.x, from = 0;
  int value = i < n ? in[i] : 0;
  buffer[0][threadIdx.x] = value;
#ifdef FAULT
  if (i < n) {
    __syncthreads(); // FAULT barrier-divergence
#else
  __syncthreads();
  {
#endif
    for (int step = 1; step < kThreads; step *= 2) {
      int t = threadIdx.x, other = t >= step ? buffer[from][t - step] : 0;
      buffer[1 - from][t] = buffer[from][t] + other;
      from = 1 - from;
      __syncthreads();
    }
  }
#ifdef FAULT
  __syncthreads();
#endif
  if (i < n) out[i] = buffer[from][threadIdx.x] - value;
  if (sums && threadIdx.x == kThreads - 1) sums[blockIdx.x] = buffer[from][threadIdx.x];
}

__global__ void addSums(int *out, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

void exclusiveScan(const int *in, int *out, int n) {
  int blocks = (n + kThreads - 1) / kThreads, *sums = nullptr;
  if (blocks > 1) gpuErrchk(cudaMalloc(&sums, blocks * sizeof(int)));
  scanTiles<<<blocks, kThreads>>>(in, out, sums, n);
  gpuErrchk(cudaPeekAtLastError());
  if (blocks > 1) {
    int *offsets;
    gpuErrchk(cudaMalloc(&offsets, blocks * sizeof(int)));
    exclusiveScan(sums, offsets, blocks);
    addSums<<<blocks, kThreads>>>(out, offsets, n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaFree(offsets));
    gpuErrchk(cudaFree(sums));
  }
}

int main() {
  const int n = 20011;
  std::vector<int> in(n), expected(n), got(n);
  for (int i = 0; i < n; i++) in[i] = (i * 37 + 11) % 23 - 7;
  for (int i = 1; i < n; i++) expected[i] = expected[i - 1] + in[i - 1];
  int *dIn, *dOut;
  gpuErrchk(cudaMalloc(&dIn, n * sizeof(int)));
  gpuErrchk(cudaMalloc(&dOut, n * sizeof(int)));
  gpuErrchk(cudaMemcpy(dIn, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  exclusiveScan(dIn, dOut, n);
  gpuErrchk(cudaDeviceSynchronize());
  gpuErrchk(cudaMemcpy(got.data(), dOut, n * sizeof(int), cudaMemcpyDeviceToHost));
  gpuErrchk(cudaFree(dIn));
  gpuErrchk(cudaFree(dOut));
  bool ok = std::equal(got.begin(), got.end(), expected.begin());
  printf("%s\n", ok ? "PASS" : "FAIL");
  return !ok;
}
