// One float4 a thread, wherever a thread's first element is inside the arrays.

__global__ void add_f14_tail_published_2(const float *a, const float *b, float *c, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    const float4 u = *(const float4 *)(a + i);
    const float4 v = *(const float4 *)(b + i);
    *(float4 *)(c + i) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  }
}
