__global__ void sum(const float *a, float *out, int n) {
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += a[i];
  atomicAdd(out, mine);
}

// Tries another block in each call, to see which is fastest.
void launch(const float *a, float *out, int n) {
  static int calls = 0;
  sum<<<1, 32 << calls++ % 3>>>(a, out, n);
}
