/* bounds.cu - accesses at the edges of buffers, shared arrays and variables, and at addresses that a type does not allow; the
 * repaired kernels beside them, and what looks like a fault and is none. Rows: bounds.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace bounds {

/* ---- global memory ---- */

/* case bnd_guard_order */
template <bool First> __global__ void guard_order_kernel(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool some;
  if (First) some = i < n && in[i] > 0;
  else some = in[i] > 0 && i < n; /*A*/
  if (some) out[i] = in[i];
}
LAUNCHER(bnd_guard_order) { guard_order_kernel<false><<<2, 32>>>(in, out, n); }
LAUNCHER(bnd_guard_order_repaired) { guard_order_kernel<true><<<2, 32>>>(in, out, n); }

/* case bnd_vector_tail */
template <int Spare> __global__ void vector_tail_kernel(const float *in, float *out, int n) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * q + Spare < n) {
    float4 v = reinterpret_cast<const float4 *>(in)[q]; /*A*/
    reinterpret_cast<float4 *>(out)[q] = v; /*B*/
  }
  if (Spare == 3 && q < n % 4) out[n / 4 * 4 + q] = in[n / 4 * 4 + q];
}
LAUNCHER(bnd_vector_tail) { vector_tail_kernel<0><<<1, 32>>>((const float *)in, (float *)out, n); }
LAUNCHER(bnd_vector_tail_repaired) { vector_tail_kernel<3><<<1, 32>>>((const float *)in, (float *)out, n); }

/* case bnd_transpose */
template <int Tile, bool Swap> __global__ void transpose_kernel(const int *in, int *out, int rows, int cols) {
  __shared__ int tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  if (Swap ? x < rows && y < cols : x < cols && y < cols)
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y]; /*A*/
}
LAUNCHER(bnd_transpose) { transpose_kernel<8, false><<<dim3(3, 1), dim3(8, 8)>>>(in, out, 5, 20); }
LAUNCHER(bnd_transpose_repaired) { transpose_kernel<8, true><<<dim3(3, 1), dim3(8, 8)>>>(in, out, 5, 20); }

/* case bnd_halo */
struct Line {
  const int *data;
  int n;
  __device__ int operator[](int i) const {
    return data[i]; /*A*/
  }
  __device__ int clamped(int i) const { return data[i < 0 ? 0 : i >= n ? n - 1 : i]; }
};
template <bool Clamp> __global__ void halo_kernel(Line line, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= line.n) return;
  out[i] = Clamp ? line.clamped(i - 1) + line.clamped(i + 1) : line[i - 1] + line[i + 1]; /*B*/
}
LAUNCHER(bnd_halo) { halo_kernel<false><<<2, 32>>>(Line{in, n}, out); }
LAUNCHER(bnd_halo_repaired) { halo_kernel<true><<<2, 32>>>(Line{in, n}, out); }

/* case bnd_one_past */
__global__ void one_past_kernel(int *out, int n) {
  if (threadIdx.x == 0) out[n] = 1; /*A*/
  out[threadIdx.x] = 2;
}
LAUNCHER(bnd_one_past) { one_past_kernel<<<1, n>>>(out, n); }

/* case bnd_far_away */
__global__ void far_away_kernel(int *out) {
  if (threadIdx.x == 1) out[(64ll << 30) / 4] = 1; /*A*/
  out[threadIdx.x] = 2;
}
LAUNCHER(bnd_far_away) { far_away_kernel<<<1, n>>>(out); }

/* case bnd_end_pointer */
__global__ void end_pointer_kernel(const int *in, int *out, int n) { /* the address past the end is made, but not used */
  const int *p = in + threadIdx.x, *const end = in + n;
  int sum = 0;
  for (; p < end; p += blockDim.x) sum += *p;
  const int *const beyond = end + blockDim.x;
  out[threadIdx.x] = sum + (beyond == p && p < end);
}
LAUNCHER(bnd_end_pointer) { end_pointer_kernel<<<1, 32>>>(in, out, n); }

/* case bnd_shifted_base */
__global__ void shifted_base_kernel(const int *before, int *out) { /* one-based, as in translated Fortran */
  const int i = threadIdx.x + 1;
  out[i - 1] = before[i] - before[1];
}
LAUNCHER(bnd_shifted_base) { shifted_base_kernel<<<1, n>>>(in - 1, out); }

/* case bnd_last_byte */
__global__ void last_byte_kernel(const unsigned char *in, unsigned char *out, int bytes) {
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = in[bytes - 1 - i];
}
LAUNCHER(bnd_last_byte) { last_byte_kernel<<<1, 32>>>((const unsigned char *)in, (unsigned char *)out, 4 * n); }

/* case bnd_zero_bytes */
__global__ void zero_bytes_kernel(const int *in, int *out, int n) {
  memcpy(out + n, in + n, 0);
  if ((int)threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
}
LAUNCHER(bnd_zero_bytes) { zero_bytes_kernel<<<1, 32>>>(in, out, n); }

/* ---- __device__ and __constant__ variables ---- */

__constant__ float filter[5] = {1, 2, 3, 2, 1};
__device__ int slots[8];
__device__ int counter = 7;
static __device__ double2 pairs[3];
template <typename T> __device__ T zero_of[4];
namespace {
__constant__ int4 steps[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
}

/* case bnd_constant_past */
template <int Taps> __global__ void constant_past_kernel(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < Taps; k++)
    if (i + k < n) sum += filter[k] * in[i + k]; /*A*/
  out[i] = (int)sum;
}
LAUNCHER(bnd_constant_past) { constant_past_kernel<6><<<1, 32>>>(in, out, n); }
LAUNCHER(bnd_constant_past_repaired) { constant_past_kernel<5><<<1, 32>>>(in, out, n); }

/* case bnd_device_before */
template <int Least> __global__ void device_before_kernel(const int *in, int *out) {
  const int i = threadIdx.x;
  if (i < 8) slots[i] = in[i];
  __syncthreads();
  const int k = (int)(i % 9) - 1;
  out[i] = k < Least ? -1 : slots[k]; /*A*/
}
LAUNCHER(bnd_device_before) { device_before_kernel<-1><<<1, 32>>>(in, out); }
LAUNCHER(bnd_device_before_repaired) { device_before_kernel<0><<<1, 32>>>(in, out); }

/* case bnd_device_kept_pointer */
struct Window { int *at; int n; };
template <int N> __global__ void kept_pointer_kernel(const int *in, int *out) {
  __shared__ Window w;
  if (threadIdx.x == 0) w = Window{slots, N};
  __syncthreads();
  for (int i = threadIdx.x; i < w.n; i += blockDim.x) w.at[i] = in[i]; /*A*/
  out[threadIdx.x] = w.n;
}
LAUNCHER(bnd_device_kept_pointer) { kept_pointer_kernel<9><<<1, 32>>>(in, out); }
LAUNCHER(bnd_device_kept_pointer_repaired) { kept_pointer_kernel<8><<<1, 32>>>(in, out); }

/* case bnd_device_reset */
__global__ void device_reset_kernel(int *out) { /* each run starts from the initialiser, each launch from the one before */
  if (threadIdx.x == 0) {
    out[blockIdx.x] = counter;
    counter = counter + 1;
    out[3] = (int)zero_of<float>[1] + steps[1].z + (int)pairs[2].y;
    zero_of<float>[1] = 3;
    pairs[2] = make_double2(1, 2);
  }
}
LAUNCHER(bnd_device_reset) {
  device_reset_kernel<<<1, 32>>>(out);
  device_reset_kernel<<<1, 32>>>(out + 4);
}

/* case bnd_device_pointers */ // addresses in initialisers, of each other too, are those of the run
struct Ring {
  Ring *next;
  int *slot, turns;
};
__device__ int taken[4];
extern __device__ Ring second;
__device__ Ring first = {&second, &taken[1], 1};
__device__ Ring second = {&first, taken + 3, 2};
__device__ Ring *rings[2] = {nullptr, &first};
template <int N> __global__ void device_pointers_kernel(int *out) {
  Ring *r = rings[1];
  for (int k = 0; threadIdx.x == 0 && k < 3; k++, r = r->next) *r->slot += r->turns++;
  __syncthreads();
  if (threadIdx.x < N)
    out[threadIdx.x] = *(second.next->slot - 1 + threadIdx.x); /*A*/
}
LAUNCHER(bnd_device_pointers) { device_pointers_kernel<5><<<1, 32>>>(out); }
LAUNCHER(bnd_device_pointers_repaired) {
  device_pointers_kernel<4><<<1, 32>>>(out);
  device_pointers_kernel<4><<<1, 32>>>(out + 4);
}

/* case bnd_device_race */
template <bool Atomic> __global__ void device_race_kernel(int *out) {
  if (Atomic) atomicAdd(&slots[3], 1);
  else slots[3] += 1; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(bnd_device_race) { device_race_kernel<false><<<1, 32>>>(out); }
LAUNCHER(bnd_device_race_repaired) { device_race_kernel<true><<<1, 32>>>(out); }

/* case bnd_table */
__device__ int weight_of(int k) {
  static const int table[4] = {2, 3, 5, 7};
  return table[k]; /*A*/
}
template <int Modulus> __global__ void table_kernel(const int *in, int *out) {
  out[threadIdx.x] = weight_of(in[threadIdx.x] % Modulus); /*B*/
}
LAUNCHER(bnd_table) { table_kernel<5><<<1, 32>>>(in, out); }
LAUNCHER(bnd_table_repaired) { table_kernel<4><<<1, 32>>>(in, out); }

/* ---- shared memory ---- */

/* case bnd_shared_gap */
template <int N> __global__ void shared_gap_kernel(const int *in, int *out) {
  __shared__ float a[N];
  __shared__ float b[N];
  const int t = threadIdx.x;
  a[t] = in[t];
  b[t] = -in[t];
  __syncthreads();
  const float *p = a;
  out[t] = (int)p[t + (N == 33)]; /*A*/
}
LAUNCHER(bnd_shared_gap) { shared_gap_kernel<33><<<1, 33>>>(in, out); }
LAUNCHER(bnd_shared_gap_repaired) { shared_gap_kernel<32><<<1, 32>>>(in, out); }

/* case bnd_shared_lanes */
template <int Warps> __global__ void shared_lanes_kernel(const int *in, int *out) {
  __shared__ int sums[Warps];
  const int warp = threadIdx.x / 32;
  int v = in[threadIdx.x];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) sums[warp] = v; /*A*/
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < Warps; w++) sum += sums[w];
  out[threadIdx.x] = sum;
}
LAUNCHER(bnd_shared_lanes) { shared_lanes_kernel<3><<<1, 128>>>(in, out); }
LAUNCHER(bnd_shared_lanes_repaired) { shared_lanes_kernel<4><<<1, 128>>>(in, out); }

/* case bnd_dynamic_aliases */
template <int Extra> __global__ void aliases_kernel(const int *in, int *out, int n) { /* three arrays of one extern buffer */
  extern __shared__ double raw[];
  double *sums = raw;
  int *keys = reinterpret_cast<int *>(sums + 4);
  short *flags = reinterpret_cast<short *>(keys + n);
  const int t = threadIdx.x;
  keys[t] = in[t];
  flags[t + Extra] = (short)t; /*A*/
  if (t < 4) sums[t] = t;
  __syncthreads();
  out[t] = keys[n - 1 - t] + (int)sums[t % 4] + (Extra ? 0 : flags[t]);
}
LAUNCHER(bnd_dynamic_aliases) { aliases_kernel<1><<<1, n, 4 * sizeof(double) + n * (sizeof(int) + sizeof(short))>>>(in, out, n); }
LAUNCHER(bnd_dynamic_aliases_repaired) { aliases_kernel<0><<<1, n, 4 * sizeof(double) + n * (sizeof(int) + sizeof(short))>>>(in, out, n); }

/* case bnd_dynamic_forgotten */
__global__ void forgotten_kernel(const int *in, int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = in[threadIdx.x]; /*A*/
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x ^ 1]; /*B*/
}
LAUNCHER(bnd_dynamic_forgotten) { forgotten_kernel<<<1, 32>>>(in, out); }
LAUNCHER(bnd_dynamic_forgotten_repaired) { forgotten_kernel<<<1, 32, 32 * sizeof(int)>>>(in, out); }

/* case bnd_tile_halo */
template <int Halo> __global__ void tile_halo_kernel(const int *in, int *out, int w, int h) {
  __shared__ int tile[8 + 2 * Halo][8 + 2 * Halo];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int dy = y; dy < 8 + 2; dy += 8)
    for (int dx = x; dx < 8 + 2; dx += 8) {
      const int sx = min(max(dx - 1, 0), w - 1), sy = min(max(dy - 1, 0), h - 1);
      tile[dy][dx] = in[sy * w + sx]; /*A*/
    }
  __syncthreads();
  if (x < w && y < h) out[y * w + x] = Halo ? tile[y + 1][x] + tile[y + 1][x + 2] : 0;
}
LAUNCHER(bnd_tile_halo) { tile_halo_kernel<0><<<1, dim3(8, 8)>>>(in, out, 6, 5); }
LAUNCHER(bnd_tile_halo_repaired) { tile_halo_kernel<1><<<1, dim3(8, 8)>>>(in, out, 6, 5); }

/* case bnd_flat_tile */
__global__ void flat_tile_kernel(const int *in, int *out) { /* a tile walked as one row: inside the array */
  __shared__ int tile[4][8];
  tile[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / 8][threadIdx.x % 8] + (&tile[3][7])[-(int)threadIdx.x];
}
LAUNCHER(bnd_flat_tile) { flat_tile_kernel<<<1, 32>>>(in, out); }

/* ---- alignment ---- */

struct __align__(16) Half8 { unsigned short v[8]; };

/* case bnd_half8 */
template <int Shift> __global__ void half8_kernel(const unsigned short *in, unsigned short *out) {
  const Half8 h = *reinterpret_cast<const Half8 *>(in + Shift + 8 * threadIdx.x); /*A*/
  for (int k = 0; k < 8; k++) out[8 * threadIdx.x + k] = h.v[7 - k];
}
LAUNCHER(bnd_half8) { half8_kernel<4><<<1, 3>>>((const unsigned short *)in, (unsigned short *)out); }
LAUNCHER(bnd_half8_repaired) { half8_kernel<8><<<1, 3>>>((const unsigned short *)in, (unsigned short *)out); }

/* case bnd_odd_rows */
template <typename V> __global__ void odd_rows_kernel(const int *in, int *out, int cols) { /* rows of an odd length */
  const V *row = reinterpret_cast<const V *>(in + blockIdx.x * cols);
  V *to = reinterpret_cast<V *>(out + blockIdx.x * cols);
  const int per = sizeof(V) / sizeof(int);
  if ((int)threadIdx.x < cols / per)
    to[threadIdx.x] = row[threadIdx.x]; /*A*/
}
LAUNCHER(bnd_odd_rows) { odd_rows_kernel<int2><<<2, 32>>>(in, out, n / 2); }
LAUNCHER(bnd_odd_rows_repaired) { odd_rows_kernel<int><<<2, 32>>>(in, out, n / 2); }

/* case bnd_shared_cast */
template <int Shift> __global__ void shared_cast_kernel(const int *in, int *out) {
  __shared__ __align__(16) char raw[256];
  float *f = reinterpret_cast<float *>(raw + Shift);
  f[threadIdx.x] = in[threadIdx.x]; /*A*/
  __syncthreads();
  out[threadIdx.x] = (int)f[threadIdx.x ^ 1]; /*B*/
}
LAUNCHER(bnd_shared_cast) { shared_cast_kernel<2><<<1, 32>>>(in, out); }
LAUNCHER(bnd_shared_cast_repaired) { shared_cast_kernel<4><<<1, 32>>>(in, out); }

/* case bnd_atomic_odd */
template <int Shift> __global__ void atomic_odd_kernel(int *acc, int *out) {
  atomicAdd(reinterpret_cast<unsigned long long *>(acc + Shift), 1ull); /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(bnd_atomic_odd) { atomic_odd_kernel<1><<<1, 32>>>(acc, out); }
LAUNCHER(bnd_atomic_odd_repaired) { atomic_odd_kernel<2><<<1, 32>>>(acc, out); }

/* case bnd_float3_any */
__global__ void float3_any_kernel(const float3 *in, float3 *out, int triples) { /* 12 bytes, aligned to 4 */
  const int t = threadIdx.x;
  if (t < triples) out[t] = make_float3(in[t].z, in[t].x, in[t].y);
}
LAUNCHER(bnd_float3_any) { float3_any_kernel<<<1, 16>>>((const float3 *)(in + 1), (float3 *)(out + 1), (n - 1) / 3); }

/* case bnd_bytes_any */
__global__ void bytes_any_kernel(const char *in, int *out) { /* memcpy asks for no alignment */
  int v;
  memcpy(&v, in + 4 * threadIdx.x, 3);
  v &= 0xffffff;
  char copy[7];
  memcpy(copy, in + threadIdx.x, sizeof copy);
  out[threadIdx.x] = v + 0 * copy[6];
}
LAUNCHER(bnd_bytes_any) { bytes_any_kernel<<<1, 20>>>((const char *)in, out); }

} // namespace bounds
