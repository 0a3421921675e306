__global__ void axpy(const float *x, const float *z, float *y, int n, float alpha) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i] + z[i];
}
