__global__ void sum(const float *a, float *out, int n) {
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += a[i];
  atomicAdd(out, mine);
}

void launch(const float *a, float *out, int n) { sum<<<1, 128>>>(a, out, n); }
