// kernels/softmax/tree_shared.cu in OpenCL, for tests/bench-oclgrind.
__kernel void softmax(__global const float *x, __global float *y, int rows, int cols) {
  __local float buf[256];
  const unsigned row = get_group_id(0), tid = get_local_id(0), n = cols;
  if (row >= (unsigned)rows) return;
  __global const float *in = x + (size_t)row * n;
  __global float *out = y + (size_t)row * n;

  float m = -INFINITY;
  for (unsigned c = tid; c < n; c += get_local_size(0)) m = fmax(m, in[c]);
  buf[tid] = m;
  for (unsigned count = get_local_size(0); count > 1;) {
    const unsigned half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid + half_count < count) buf[tid] = fmax(buf[tid], buf[tid + half_count]);
    count = half_count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  m = buf[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0.0f;
  for (unsigned c = tid; c < n; c += get_local_size(0)) sum += exp(in[c] - m);
  buf[tid] = sum;
  for (unsigned count = get_local_size(0); count > 1;) {
    const unsigned half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid + half_count < count) buf[tid] += buf[tid + half_count];
    count = half_count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = buf[0];

  for (unsigned c = tid; c < n; c += get_local_size(0)) out[c] = exp(in[c] - m) / sum;
}
