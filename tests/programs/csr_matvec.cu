// y = A x for a sparse matrix in rows (CSR): a warp for each row, its sum by shuffles.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffff

template <typename T> struct DeviceVector {
  T *data = nullptr;
  size_t size;
  explicit DeviceVector(const std::vector<T> &from) : size(from.size()) {
    check(cudaMalloc(&data, size * sizeof(T)));
    check(cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceVector() { check(cudaFree(data)); }
  DeviceVector(const DeviceVector &) = delete;
  DeviceVector &operator=(const DeviceVector &) = delete;
  std::vector<T> get() const {
    std::vector<T> to(size);
    check(cudaMemcpy(to.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
  static void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    std::abort();
  }
};

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset); // FAULT shuffle-mask
  return val;
}

__global__ void spmvWarpPerRow(int rows, const int *__restrict__ rowStart, const int *__restrict__ column,
                               const float *__restrict__ value, const float *__restrict__ x, float *__restrict__ y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE;
  const int lane = threadIdx.x & (WARP_SIZE - 1);
  if (row >= rows) return;
  float sum = 0;
  for (int i = rowStart[row] + lane; i < rowStart[row + 1]; i += WARP_SIZE) sum += value[i] * __ldg(&x[column[i]]);
#ifdef FAULT
  if (rowStart[row] + lane < rowStart[row + 1]) {
    sum = warpReduceSum(sum);
    if (lane == 0) y[row] = sum;
  } else if (lane == 0) {
    y[row] = 0;
  }
#else
  sum = warpReduceSum(sum);
  if (lane == 0) y[row] = sum;
#endif
}

int main() {
  const int rows = 301, columns = 257;
  std::mt19937 gen(7);
  std::vector<int> rowStart{0}, column;
  std::vector<float> value, x(columns), y(rows, -1.0f);
  for (float &v : x) v = float(gen() % 64) / 8;
  for (int r = 0; r < rows; r++) {
    for (int n = gen() % 70; n > 0; n--) {
      column.push_back(gen() % columns);
      value.push_back(float(gen() % 16));
    }
    rowStart.push_back(int(column.size()));
  }
  int bad = 0;
  {
    DeviceVector<int> dStart(rowStart), dColumn(column);
    DeviceVector<float> dValue(value), dX(x), dY(y);
    const int threads = 128, warps = threads / WARP_SIZE;
    spmvWarpPerRow<<<(rows + warps - 1) / warps, threads>>>(rows, dStart.data, dColumn.data, dValue.data, dX.data, dY.data);
    DeviceVector<int>::check(cudaGetLastError());
    y = dY.get();
  }
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = rowStart[r]; i < rowStart[r + 1]; i++) sum += double(value[i]) * x[column[i]];
    if (std::fabs(sum - y[r]) > 1e-3) bad++;
  }
  std::printf("%s (%d of %d rows differ)\n", bad ? "FAIL" : "PASS", bad, rows);
  return bad != 0;
}
