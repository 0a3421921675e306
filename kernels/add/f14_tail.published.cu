// One float4 a thread, for n / 4 threads.

__global__ void add_f14_tail_published(const float *a, const float *b, float *c, int n) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n / 4) {
    const float4 u = ((const float4 *)a)[tid];
    const float4 v = ((const float4 *)b)[tid];
    float4 w;
    w.x = u.x + v.x;
    w.y = u.y + v.y;
    w.z = u.z + v.z;
    w.w = u.w + v.w;
    ((float4 *)c)[tid] = w;
  }
}
