// A glider and some noise, for some generations.
#include "life.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#ifndef FAULT
static const dim3 block(16, 8);
#else
static const dim3 block(48, 24); // more threads than a block may have
#endif

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

__device__ int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

__global__ void seedCells(unsigned char *cells) {
  static const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (int i = threadIdx.x; i < kWidth * kHeight; i += blockDim.x) cells[i] = (i * 2654435761u >> 28) == 3;
  __syncthreads();
  if (threadIdx.x < 5) cells[wrap(glider[threadIdx.x][1] - 1, kHeight) * kWidth + wrap(glider[threadIdx.x][0] - 1, kWidth)] = 1;
}

static void stepOnHost(std::vector<unsigned char> &cells) {
  std::vector<unsigned char> next(cells.size());
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < kWidth; x++) {
      int alive = -cells[y * kWidth + x];
      for (int k = 0; k < 9; k++) alive += cells[(y + k / 3 + kHeight - 1) % kHeight * kWidth + (x + k % 3 + kWidth - 1) % kWidth];
      next[y * kWidth + x] = alive == 3 || (alive == 2 && cells[y * kWidth + x]);
    }
  cells = next;
}

int main() {
  const size_t bytes = kWidth * kHeight;
  const int generations = 12;
  unsigned char *now, *next;
  std::vector<unsigned char> expected(bytes), got(bytes);
  HANDLE_ERROR(cudaMalloc((void **)&now, bytes));
  HANDLE_ERROR(cudaMalloc((void **)&next, bytes));
  seedCells<<<1, 256>>>(now);
  HANDLE_ERROR(cudaMemcpy(expected.data(), now, bytes, cudaMemcpyDeviceToHost));
  dim3 grid((kWidth + block.x - 1) / block.x, (kHeight + block.y - 1) / block.y);
  for (int g = 0; g < generations; g++) {
    lifeStep<<<grid, block>>>(now, next); // FAULT launch-error
    std::swap(now, next);
    stepOnHost(expected);
  }
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(got.data(), now, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(now));
  HANDLE_ERROR(cudaFree(next));
  bool same = memcmp(got.data(), expected.data(), bytes) == 0;
  puts(same ? "PASS" : "FAIL");
  return !same;
}
