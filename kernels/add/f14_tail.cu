// Threads 0 .. n/4-1 add four elements each as float4, the next n % 4 threads one element each of what is left. Arrays start on
// 16 bytes.

__global__ void add_f14_tail(const float *a, const float *b, float *c, int n) {
  const unsigned vectors = (unsigned)n / 4, rest = (unsigned)n % 4;
  const size_t tid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

  if (tid < vectors) {
    const float4 u = reinterpret_cast<const float4 *>(a)[tid];
    const float4 v = reinterpret_cast<const float4 *>(b)[tid];
    reinterpret_cast<float4 *>(c)[tid] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else if (tid - vectors < rest) {
    const size_t i = 4 * (size_t)vectors + (tid - vectors);
    c[i] = a[i] + b[i];
  }
}
