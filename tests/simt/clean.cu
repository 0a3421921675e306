/* clean.cu - kernels as people write them, with nothing wrong: no word about any of them, under any schedule. Rows: clean.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace clean {

/* ---- reductions and scans ---- */

/* case ok_reduce_tree */
template <typename T, int Threads, typename Op> __device__ T reduce_tree(T v, Op op) {
  __shared__ T buf[Threads];
  const int t = threadIdx.x;
  buf[t] = v;
  __syncthreads();
#pragma unroll
  for (int s = Threads / 2; s > 0; s >>= 1) {
    if (t < s) buf[t] = op(buf[t], buf[t + s]);
    __syncthreads();
  }
  const T r = buf[0];
  __syncthreads(); /* the buffer is used again */
  return r;
}
struct Add {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
template <int Threads> __global__ void reduce_tree_kernel(const int *__restrict__ in, int *__restrict__ out, int n) {
  int sum = 0, most = -2147483647 - 1;
  for (int i = threadIdx.x; i < n; i += Threads) {
    sum += in[i];
    most = max(most, in[i]);
  }
  sum = reduce_tree<int, Threads>(sum, Add());
  most = reduce_tree<int, Threads>(most, [](int a, int b) { return a > b ? a : b; });
  for (int i = threadIdx.x; i < n; i += Threads) out[i] = sum - most;
}
LAUNCHER(ok_reduce_tree) { reduce_tree_kernel<64><<<1, 64>>>(in, out, n); }

/* case ok_reduce_shuffle */
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__device__ float block_sum(float v) {
  static __shared__ float part[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = warp_sum(v);
  __syncthreads(); /* others may still read what the last call left */
  if (!lane) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.0f;
  if (!warp) v = warp_sum(v);
  if (threadIdx.x == 0) part[0] = v;
  __syncthreads();
  return part[0];
}
__global__ void reduce_shuffle_kernel(const int *in, int *out) {
  const float a = block_sum(in[threadIdx.x]), b = block_sum(1.0f);
  out[threadIdx.x] = (int)(a / b);
}
LAUNCHER(ok_reduce_shuffle) { reduce_shuffle_kernel<<<1, 160>>>(in, out); }

/* case ok_scan_two_buffers */
__global__ void scan_kernel(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  int from = 0, to = 1;
  const int t = threadIdx.x;
  temp[to * n + t] = in[t];
  for (int d = 1; d < n; d *= 2) {
    to = 1 - to;
    from = 1 - to;
    __syncthreads();
    temp[to * n + t] = t >= d ? temp[from * n + t] + temp[from * n + t - d] : temp[from * n + t];
  }
  out[t] = temp[to * n + t];
}
LAUNCHER(ok_scan_two_buffers) { scan_kernel<<<1, n, 2 * n * sizeof(int)>>>(in, out, n); }

/* case ok_scan_blocks */
__global__ void scan_part_kernel(const int *in, int *out, int *sums) {
  __shared__ int s[32 + 1];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_up_sync(~0u, v, d);
    if (t >= d) v += w;
  }
  s[t + 1] = v;
  if (!t) s[0] = 0;
  __syncwarp();
  out[i] = s[t];
  if (t == 31) sums[blockIdx.x] = v;
}
__global__ void scan_add_kernel(int *out, const int *sums) {
  int before = 0;
  for (unsigned b = 0; b < blockIdx.x; ++b) before += sums[b];
  out[blockIdx.x * 32 + threadIdx.x] += before;
}
LAUNCHER(ok_scan_blocks) {
  scan_part_kernel<<<n / 32, 32>>>(in, out, acc);
  scan_add_kernel<<<n / 32, 32>>>(out, acc);
}

/* case ok_histogram_private */
__global__ void histogram_kernel(const int *in, int *hist, int *out, int n) {
  __shared__ unsigned bins[4][8];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 4 * 8; i += blockDim.x) (&bins[0][0])[i] = 0u;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[warp][in[i] & 7], 1u);
  __syncthreads();
  if (threadIdx.x < 8) {
    unsigned sum = 0;
    for (int w = 0; w < 4; w++) sum += bins[w][threadIdx.x];
    atomicAdd(&hist[threadIdx.x], (int)sum);
  }
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1;
}
LAUNCHER(ok_histogram_private) { histogram_kernel<<<3, 128>>>(in, acc, out, n); }

/* ---- tiles ---- */

/* case ok_matmul */
template <int TILE> __global__ void matmul_kernel(const int *A, const int *B, int *C, int M, int N, int K) {
  __shared__ int As[TILE][TILE], Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  int acc = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
    const int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < M && ak < K ? A[row * K + ak] : 0;
    Bs[threadIdx.y][threadIdx.x] = bk < K && col < N ? B[bk * N + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}
LAUNCHER(ok_matmul) { matmul_kernel<4><<<dim3(3, 2), dim3(4, 4)>>>(in, in, out, 6, 9, 5); }

/* case ok_matmul_registers */
__global__ void matmul_registers_kernel(const int *A, const int *B, int *C, int N) { /* each thread two by two, two buffers */
  __shared__ int As[2][4][8], Bs[2][4][8];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 4 + tx;
  int c[2][2] = {}, a[2], b[2];
  auto load = [&](int stage, int k0) {
    for (int i = t; i < 32; i += 16) {
      As[stage][i / 8][i % 8] = A[(i % 8) * N + k0 + i / 8];
      Bs[stage][i / 8][i % 8] = B[(k0 + i / 8) * N + i % 8];
    }
  };
  load(0, 0);
  __syncthreads();
  for (int k0 = 0, stage = 0; k0 < N; k0 += 4, stage ^= 1) {
    if (k0 + 4 < N) load(stage ^ 1, k0 + 4);
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < 2; i++) a[i] = As[stage][k][ty * 2 + i], b[i] = Bs[stage][k][tx * 2 + i];
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) c[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    *reinterpret_cast<int2 *>(&C[(ty * 2 + i) * N + tx * 2]) = make_int2(c[i][0], c[i][1]);
}
LAUNCHER(ok_matmul_registers) { matmul_registers_kernel<<<1, dim3(4, 4)>>>(in, in, out, 8); }

/* case ok_transpose_batch */
__global__ void transpose_batch_kernel(const int *in, int *out, int w, int h) { /* 8 by 2 threads move 8 by 8, a batch in z */
  __shared__ int tile[8][8 + 1];
  const int plane = blockIdx.z * w * h;
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int j = 0; j < 8; j += blockDim.y)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[plane + (y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 8 + threadIdx.x;
  y = blockIdx.x * 8 + threadIdx.y;
  for (int j = 0; j < 8; j += blockDim.y)
    if (x < h && y + j < w) out[plane + (y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
LAUNCHER(ok_transpose_batch) { transpose_batch_kernel<<<dim3(2, 1, 2), dim3(8, 2)>>>(in, out, 11, 7); }

/* case ok_volume */
__global__ void volume_kernel(const int *in, int *out, int3 d) { /* seven points in three dimensions */
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = threadIdx.z;
  if (x >= d.x || y >= d.y || z >= d.z) return;
  auto at = [=](int i, int j, int k) {
    return i < 0 || j < 0 || k < 0 || i >= d.x || j >= d.y || k >= d.z ? 0 : in[(k * d.y + j) * d.x + i];
  };
  out[(z * d.y + y) * d.x + x] = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) +
                                 at(x, y, z + 1) - 6 * at(x, y, z);
}
LAUNCHER(ok_volume) { volume_kernel<<<dim3(2, 2), dim3(4, 4, 3)>>>(in, out, make_int3(5, 6, 3)); }

/* case ok_convolution */
__constant__ int taps[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
template <int R> __global__ void convolution_kernel(const int *in, int *out, int w, int h) {
  __shared__ int tile[8 + 2 * R][8 + 2 * R];
  const int x0 = blockIdx.x * 8 - R, y0 = blockIdx.y * 8 - R, flat = threadIdx.y * 8 + threadIdx.x;
  for (int i = flat; i < (8 + 2 * R) * (8 + 2 * R); i += 64) {
    const int x = x0 + i % (8 + 2 * R), y = y0 + i / (8 + 2 * R);
    (&tile[0][0])[i] = x >= 0 && y >= 0 && x < w && y < h ? in[y * w + x] : 0;
  }
  __syncthreads();
  const int x = x0 + R + threadIdx.x, y = y0 + R + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = 0;
  for (int j = -R; j <= R; j++)
    for (int i = -R; i <= R; i++) s += taps[j + R][i + R] * tile[threadIdx.y + R + j][threadIdx.x + R + i];
  out[y * w + x] = s;
}
LAUNCHER(ok_convolution) { convolution_kernel<1><<<dim3(2, 2), dim3(8, 8)>>>(in, out, 10, 9); }

/* ---- vectors and bits ---- */

/* case ok_vector_copy */
__global__ void vector_copy_kernel(const float *__restrict__ in, float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const float4 *in4 = reinterpret_cast<const float4 *>(in);
  float4 *out4 = reinterpret_cast<float4 *>(out);
  for (int k = i; k < n / 4; k += stride) out4[k] = in4[k];
  for (int k = n / 4 * 4 + i; k < n; k += stride) out[k] = in[k];
}
LAUNCHER(ok_vector_copy) { vector_copy_kernel<<<2, 8>>>((const float *)in, (float *)out, n); }

/* case ok_vector_head */
__global__ void vector_head_kernel(const int *in, int *out, int n) { /* scalars up to an aligned address, vectors, scalars */
  const int head = min(n, (int)((16 - (size_t)out % 16) % 16 / 4)), body = (n - head) / 4;
  for (int i = threadIdx.x; i < head; i += blockDim.x) out[i] = in[i];
  for (int i = threadIdx.x; i < body; i += blockDim.x) {
    int4 v;
    v.x = in[head + 4 * i];
    v.y = in[head + 4 * i + 1];
    v.z = in[head + 4 * i + 2];
    v.w = in[head + 4 * i + 3];
    *(int4 *)(out + head + 4 * i) = v;
  }
  for (int i = head + 4 * body + threadIdx.x; i < n; i += blockDim.x) out[i] = in[i];
}
LAUNCHER(ok_vector_head) { vector_head_kernel<<<1, 8>>>(in, out + 3, n - 3); }

/* case ok_union_float4 */
union Float4 {
  float4 v;
  float f[4];
};
__global__ void union_kernel(const float4 *in, float *out) {
  __shared__ Float4 s[8];
  if (threadIdx.x < 8) s[threadIdx.x].v = in[threadIdx.x];
  __syncthreads();
  Float4 own;
  for (int k = 0; k < 4; k++) own.f[k] = s[threadIdx.x % 8].f[3 - k];
  if (threadIdx.x < 8) reinterpret_cast<float4 *>(out)[threadIdx.x] = own.v;
}
LAUNCHER(ok_union_float4) { union_kernel<<<1, 32>>>((const float4 *)in, (float *)out); }

/* case ok_half8 */
struct alignas(16) Half8 {
  unsigned short v[8];
  __device__ unsigned short &operator[](int i) { return v[i]; }
};
__global__ void half8_kernel(const Half8 *in, Half8 *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    Half8 h = in[i];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      const unsigned short w = h[k];
      h[k] = h[7 - k];
      h[7 - k] = w;
    }
    out[i] = h;
  }
}
LAUNCHER(ok_half8) { half8_kernel<<<1, 3>>>((const Half8 *)in, (Half8 *)out, n / 4); }

/* case ok_bit_casts */
template <typename To, typename From> __device__ To bit_cast(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
__global__ void bit_casts_kernel(const int *in, int *out) {
  const float f = bit_cast<float>(in[threadIdx.x] | 0x3f800000);
  const unsigned u = *reinterpret_cast<const unsigned *>(&f);
  unsigned char bytes[4];
  memcpy(bytes, &u, 4);
  out[threadIdx.x] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
}
LAUNCHER(ok_bit_casts) { bit_casts_kernel<<<1, 32>>>(in, out); }

/* case ok_packed_shuffle */
struct Best { float value; int index; };
__device__ Best better(Best a, Best b) { return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b; }
__global__ void argmax_kernel(const int *in, int *out, int n) {
  Best best = {-3e38f, -1};
  for (int i = threadIdx.x; i < n; i += 32) best = better(best, Best{(float)(in[i] * 7 % 31), i});
  for (int d = 16; d; d /= 2) best = better(best, Best{__shfl_down_sync(~0u, best.value, d), __shfl_down_sync(~0u, best.index, d)});
  best.index = __shfl_sync(~0u, best.index, 0);
  for (int i = threadIdx.x; i < n; i += 32) out[i] = best.index;
}
LAUNCHER(ok_packed_shuffle) { argmax_kernel<<<1, 32>>>(in, out, n); }

/* ---- roles, stages, early returns ---- */

/* case ok_producer_consumer */
__global__ void producer_kernel(const int *in, int *out, int n) { /* one warp loads ahead, the others work */
  __shared__ int stage[2][96];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, worker = threadIdx.x - 32;
  if (warp == 0)
    for (int i = lane; i < 96; i += 32) stage[0][i] = in[i];
  __syncthreads();
  for (int k = 0; k < n / 96; k++) {
    if (warp == 0) {
      if ((k + 1) * 96 < n)
        for (int i = lane; i < 96; i += 32) stage[(k + 1) & 1][i] = in[(k + 1) * 96 + i];
    } else
      out[k * 96 + worker] = 2 * stage[k & 1][95 - worker];
    __syncthreads();
  }
}
LAUNCHER(ok_producer_consumer) { producer_kernel<<<1, 128>>>(in, out, n); }

/* case ok_early_return */
__global__ void early_return_kernel(const int *in, int *out, int rows, int cols) { /* whole blocks return, or nobody waits */
  const int row = blockIdx.x;
  if (row >= rows) return;
  __shared__ int least;
  if (threadIdx.x == 0) least = 2147483647;
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) atomicMin(&least, in[row * cols + c]);
  __syncthreads();
  if ((int)threadIdx.x >= cols) return;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[row * cols + c] = in[row * cols + c] - least;
}
LAUNCHER(ok_early_return) { early_return_kernel<<<7, 16>>>(in, out, 5, 12); }

/* case ok_online */
struct Online {
  float m, s;
  __device__ void add(float x) {
    const float top = fmaxf(m, x);
    s = s * expf(m - top) + expf(x - top);
    m = top;
  }
  __device__ void merge(const Online &o) {
    const float top = fmaxf(m, o.m);
    s = s * expf(m - top) + o.s * expf(o.m - top);
    m = top;
  }
};
__global__ void online_kernel(const int *in, int *out, int n) {
  __shared__ Online part[2];
  Online o = {-3e38f, 0};
  for (int i = threadIdx.x; i < n; i += blockDim.x) o.add((float)(in[i] % 3));
  for (int d = 16; d; d /= 2) {
    Online other;
    other.m = __shfl_xor_sync(~0u, o.m, d);
    other.s = __shfl_xor_sync(~0u, o.s, d);
    o.merge(other);
  }
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = o;
  __syncthreads();
  o = part[0];
  o.merge(part[1]);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = (int)o.m;
}
LAUNCHER(ok_online) { online_kernel<<<1, 64>>>(in, out, n); }

/* case ok_aliases */
__global__ void aliases_kernel(const int *in, int *out, int n) { /* one extern buffer, two views at different times */
  extern __shared__ __align__(16) unsigned char pool[];
  int *keys = reinterpret_cast<int *>(pool);
  int4 *quads = reinterpret_cast<int4 *>(pool);
  unsigned char *bytes = pool + n * sizeof(int);
  const int t = threadIdx.x;
  keys[t] = in[t];
  bytes[t] = (unsigned char)t;
  __syncthreads();
  int4 q = make_int4(0, 0, 0, 0);
  if (t < n / 4) q = quads[t];
  __syncthreads();
  if (t < n / 4) quads[t] = make_int4(q.w, q.z, q.y, q.x);
  __syncthreads();
  out[t] = keys[t] + bytes[t];
}
LAUNCHER(ok_aliases) { aliases_kernel<<<1, n, n * (sizeof(int) + 1)>>>(in, out, n); }

/* case ok_local_state */
template <int N> struct Register {
  int v[N] = {};
  template <typename F> __device__ void each(F f) {
    for (int k = 0; k < N; k++) f(v[k], k);
  }
};
__global__ void local_state_kernel(const int *in, int *out) {
  Register<5> r;
  const int base = threadIdx.x, *p = in + base;
  int total = 0;
  r.each([&](int &v, int k) { v = p[0] + k; });
  r.each([&total](int v, int) { total += v; });
  int order[5] = {4, 3, 2, 1, 0}, *lo = order, *hi = order + 4;
  while (lo < hi) {
    const int w = *lo;
    *lo++ = *hi;
    *hi-- = w;
  }
  out[base] = total + r.v[order[base % 5]] - p[0] - base % 5;
}
LAUNCHER(ok_local_state) { local_state_kernel<<<1, 32>>>(in, out); }

/* case ok_volatile_flag */
__global__ void volatile_flag_kernel(const int *in, int *out, volatile int *flag) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    out[t] = in[t];
    __threadfence();
    __syncthreads();
    if (t == 0) flag[0] = 1;
  } else {
    if (t == 0)
      while (flag[0] == 0) {
      }
    __syncthreads();
    __threadfence();
    out[32 + t] = out[t] + 1;
  }
}
LAUNCHER(ok_volatile_flag) { volatile_flag_kernel<<<2, 32>>>(in, out, acc); }

/* case ok_sort */
__global__ void bitonic_kernel(const int *in, int *out, int n) {
  extern __shared__ int key[];
  const unsigned t = threadIdx.x;
  key[t] = (int)t < n ? (in[t] * 37) % 101 : 2147483647;
  for (unsigned k = 2; k <= blockDim.x; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const unsigned with = t ^ j;
      if (with > t && (key[t] > key[with]) == !(t & k)) {
        const int w = key[t];
        key[t] = key[with];
        key[with] = w;
      }
    }
  __syncthreads();
  if ((int)t < n) out[t] = t == 0 || key[t - 1] <= key[t];
}
LAUNCHER(ok_sort) { bitonic_kernel<<<1, 64, 64 * sizeof(int)>>>(in, out, n); }

} // namespace clean
