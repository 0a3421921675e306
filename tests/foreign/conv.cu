// A two-dimensional convolution without padding, in a program with a main() that shows it. Blocks of any two extents.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
using namespace std;

typedef unsigned int uint;
#define AT(matrix, row, col, width) (matrix)[(row) * (width) + (col)]

void __global__ convolve(float *result, const float *image, const float *filter, uint height, uint width, uint taps) {
  uint col = blockIdx.x * blockDim.x + threadIdx.x;
  uint row = blockIdx.y * blockDim.y + threadIdx.y;
  const uint out_height = height - taps + 1, out_width = width - taps + 1;
#ifdef FAULT // the last column has no thread
  if (row >= out_height || col + 1 >= out_width) return;
#else
  if (row >= out_height || col >= out_width) return;
#endif
  float sum = 0.0f;
  for (uint r = 0; r < taps; r++)
    for (uint c = 0; c < taps; c++) sum += AT(image, row + r, col + c, width) * AT(filter, r, c, taps);
  AT(result, row, col, out_width) = sum;
}

int main(int argc, char **argv) {
  const uint size = argc > 1 ? atoi(argv[1]) : 64, taps = 3, out_size = size - taps + 1;
  float *image, *filter, *result;
  cudaMalloc(&image, size * size * sizeof(float));
  cudaMalloc(&filter, taps * taps * sizeof(float));
  cudaMalloc(&result, out_size * out_size * sizeof(float));
  cudaMemset(image, 0, size * size * sizeof(float));
  cudaMemset(filter, 0, taps * taps * sizeof(float));
  dim3 threads(16, 16), blocks((out_size + 15) / 16, (out_size + 15) / 16);
  convolve<<<blocks, threads>>>(result, image, filter, size, size, taps);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(image);
  cudaFree(filter);
  cudaFree(result);
}
