// Four elements a thread, loaded and stored as float4; a thread without four elements does nothing.

#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])

__global__ void add_float4_published(float *a, float *b, float *c, int n) {
  const int idx = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (idx + 3 < n) {
    const float4 reg_a = FLOAT4(a[idx]);
    const float4 reg_b = FLOAT4(b[idx]);
    float4 reg_c;
    reg_c.x = reg_a.x + reg_b.x;
    reg_c.y = reg_a.y + reg_b.y;
    reg_c.z = reg_a.z + reg_b.z;
    reg_c.w = reg_a.w + reg_b.w;
    FLOAT4(c[idx]) = reg_c;
  }
}
