/* aligned.cu - accesses through casts of the addresses of named arrays, local ones too, and code that looks like it. Rows: aligned.def. */
#include "launcher.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;

namespace aligned {

struct __align__(8) Two { /* aligned as it says */
  int a[2];
};
struct Four { /* as its numbers */
  int x, y, z, w;
};
struct __attribute__((packed)) Tight { /* at any byte */
  char tag;
  int a[4];
  int4 q;
  Two two[2];
};
union Either {
  int4 q;
  int a[4];
};
struct Tile {
  int n, row[35];
};
template <class T, int N> struct alignas(sizeof(T) * N) Pack {
  T at[N];
};
namespace {
struct alignas(16) Hidden {
  int a[4];
};
} // namespace
struct Constructed {
  int a[2];
  __device__ Constructed() : a{0, 0} {}
};
struct __align__(8) ConstructedPair {
  int a[2];
  __device__ ConstructedPair(int x, int y) : a{x, y} {}
};

__device__ int numbers[64];
__constant__ int fixed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ __align__(16) unsigned char raw_bytes[64];
__device__ Tight tight[4];
#define QUAD(v) (reinterpret_cast<int4 *>(&(v))[0])

template <int N> __device__ void fill(int (&a)[N], const int *in) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) a[i] = in[i];
  __syncthreads();
}

/* case al_row */
template <int Pitch> __global__ void row_kernel(const int *in, int *out) {
  __shared__ int a[4 * Pitch];
  auto &rows = reinterpret_cast<int (&)[4][Pitch]>(a);
  fill(a, in);
  __shared__ int t[4][Pitch];
  t[threadIdx.x / 8][threadIdx.x % 8] = rows[threadIdx.x / 8][threadIdx.x % 8];
  __syncthreads();
  const int4 v = *reinterpret_cast<const int4 *>(&t[threadIdx.x / 8][threadIdx.x % 2 * 4]); /*A*/
  out[threadIdx.x] = v.w;
}
LAUNCHER(al_row) { row_kernel<9><<<1, 32>>>(in, out); }
LAUNCHER(al_row_repaired) { row_kernel<8><<<1, 32>>>(in, out); }

/* case al_read */
template <int Step> __global__ void read_kernel(const int *in, int *out) {
  __shared__ int a[132];
  fill(a, in);
  const int4 v = *(int4 *)&a[threadIdx.x * Step]; /*A*/
  int4 w;
  w = QUAD(a[threadIdx.x * Step]); /*B*/
  out[threadIdx.x] = v.x + (w.w - v.w);
}
LAUNCHER(al_read) { read_kernel<1><<<1, 32>>>(in, out); }
LAUNCHER(al_read_repaired) { read_kernel<4><<<1, 32>>>(in, out); }

/* case al_write */
template <int Shift> __global__ void write_kernel(int *out) {
  __shared__ int a[132];
  if (threadIdx.x % 4 == 0) {
    *(int2 *)&a[threadIdx.x + Shift] = make_int2(1, 2); /*A*/
    (int2 &)a[threadIdx.x + Shift + 2] = make_int2(3, 4); /*B*/
  }
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x + Shift];
}
LAUNCHER(al_write) { write_kernel<1><<<1, 20>>>(out); }
LAUNCHER(al_write_repaired) { write_kernel<2><<<1, 20>>>(out); }

/* case al_copy */
template <int From, int To> __global__ void copy_kernel(const int *in, int *out) {
  __shared__ int a[40], b[40];
  fill(a, in);
  if (threadIdx.x < 8)
    *(int4 *)&b[threadIdx.x * 4 + To] = *(int4 *)&a[threadIdx.x * 4 + From]; /*A*/
  __syncthreads();
  out[threadIdx.x] = b[threadIdx.x + To];
}
LAUNCHER(al_copy) { copy_kernel<2, 2><<<1, 32>>>(in, out); }
LAUNCHER(al_copy_repaired) { copy_kernel<4, 4><<<1, 32>>>(in, out); }

/* case al_bytes */
template <int Shift> __global__ void bytes_kernel(const int *in, int *out) {
  __shared__ char s[32 * 4 + 4];
  extern __shared__ unsigned char d[];
  for (int i = threadIdx.x; i < 132; i += 32) s[i] = d[i] = 0;
  for (int i = threadIdx.x; i < 64; i += 32) raw_bytes[i] = 0;
  __syncthreads();
  const int t = threadIdx.x;
  int r = *(int *)&s[4 * t + Shift];                       /*A*/
  if (t % 2 == 0) r += (int)*reinterpret_cast<const long long *>(&d[4 * t + Shift]); /*B*/
  r += *reinterpret_cast<int *>(&raw_bytes[(t & ~3) | Shift]); /*C*/
  *(int *)&s[4 * t + Shift] = r; /*D*/
  out[t] = r + in[t];
}
LAUNCHER(al_bytes) { bytes_kernel<1><<<1, 32, 132>>>(in, out); }
LAUNCHER(al_bytes_repaired) { bytes_kernel<0><<<1, 32, 132>>>(in, out); }

/* case al_variables */
template <int Shift> __global__ void variables_kernel(int *out) {
  const int t = threadIdx.x;
  numbers[t] = numbers[t + 32] = t;
  __syncthreads();
  const int4 v = *reinterpret_cast<const int4 *>(&numbers[4 * t % 32 + Shift]); /*A*/
  const int2 w = *reinterpret_cast<const int2 *>(&fixed[2 * t % 4 + Shift]); /*B*/
  const double d = *(double *)&numbers[2 * t % 32 + Shift]; /*C*/
  out[t] = v.x - Shift + (w.x > 100) + (d == 1.5);
}
LAUNCHER(al_variables) { variables_kernel<1><<<1, 32>>>(out); }
LAUNCHER(al_variables_repaired) { variables_kernel<4><<<1, 32>>>(out); }

/* case al_member */
template <int Step> __global__ void member_kernel(Tile *tile, int *out) { /* row begins at byte 4 */
  const int4 v = *reinterpret_cast<const int4 *>(&tile->row[4 * threadIdx.x + Step]); /*A*/
  out[threadIdx.x] = v.x;
}
LAUNCHER(al_member) { member_kernel<0><<<1, 8>>>((Tile *)in, out); }
LAUNCHER(al_member_repaired) { member_kernel<3><<<1, 8>>>((Tile *)in, out); }

/* case al_own_types */
template <int Shift> __global__ void own_types_kernel(const int *in, int *out) {
  __shared__ int a[40];
  fill(a, in);
  const int i = threadIdx.x * 4 % 32 + Shift;
  const Two two = *(const Two *)&a[i];              /*A*/
  const Pack<int, 4> pack = *(Pack<int, 4> *)&a[i]; /*B*/
  const Hidden hidden = *(Hidden *)&a[i];           /*C*/
  const ConstructedPair pair = *(ConstructedPair *)&a[i];     /*D*/
  const Four four = *(Four *)&a[i]; /* right anywhere */
  const Constructed plain = *(Constructed *)&a[i];
  const int3 three = *(int3 *)&a[i];
  out[threadIdx.x] = two.a[0] + pack.at[0] + hidden.a[0] + pair.a[0] + four.x + plain.a[0] + three.x;
}
LAUNCHER(al_own_types) { own_types_kernel<1><<<1, 32>>>(in, out); }
LAUNCHER(al_own_types_repaired) { own_types_kernel<4><<<1, 32>>>(in, out); }

/* case al_record */
template <int Shift> __global__ void record_kernel(int *out) {
  __shared__ char s[32 * 16 + 4];
  for (int i = threadIdx.x; i < 32 * 16 + 4; i += 32) s[i] = 0;
  __syncthreads();
  const Four four = *(Four *)&s[16 * threadIdx.x + Shift];        /*A*/
  const int w = ((Four *)&s[16 * threadIdx.x + Shift])->w;        /*B*/
  const Tight tight_one = *(Tight *)&s[4 * threadIdx.x + Shift]; /* right anywhere */
  const int q = ((Tight *)&s[4 * threadIdx.x + Shift])->a[2];
  out[threadIdx.x] = four.x + w + tight_one.a[1] + q;
}
LAUNCHER(al_record) { record_kernel<2><<<1, 32>>>(out); }
LAUNCHER(al_record_repaired) { record_kernel<4><<<1, 32>>>(out); }

/* case al_halves */
template <int Step> __global__ void halves_kernel(int *out) {
  __shared__ __half h[100];
  for (int i = threadIdx.x; i < 100; i += 32) h[i] = __float2half(1);
  __syncthreads();
  const __half2 v = *reinterpret_cast<__half2 *>(&h[Step * threadIdx.x]);         /*A*/
  const __half2 s = __hadd2(v, *reinterpret_cast<__half2 *>(&h[Step * threadIdx.x])); /*B*/
  out[threadIdx.x] = (int)__low2float(s);
}
LAUNCHER(al_halves) { halves_kernel<3><<<1, 32>>>(out); }
LAUNCHER(al_halves_repaired) { halves_kernel<2><<<1, 32>>>(out); }

/* case al_local */
template <int Shift> __global__ void local_kernel(const int *in, int *out) {
  int a[12];
  for (int i = 0; i < 12; i++) a[i] = in[i];
  int s = 0;
  for (int i = 0; i + Shift + 4 <= 12; i += 4) {
    const int4 v = *reinterpret_cast<int4 *>(&a[i + Shift]); /*A*/
    s += v.x;
  }
  const int at = in[threadIdx.x] % 2 * 4 + Shift;
  *(int2 *)&a[at] = make_int2(s, s); /*B*/
  const int4 *p = (const int4 *)(a + at);
  const int4 w = *p; /*C*/
  out[threadIdx.x] = w.y;
}
LAUNCHER(al_local) { local_kernel<1><<<1, 32>>>(in, out); }
LAUNCHER(al_local_repaired) { local_kernel<4><<<1, 32>>>(in, out); }

/* case al_argument */
struct Weights {
  int n, w[11];
};
template <int Shift> __global__ void argument_kernel(Weights weights, const int *in, int *out) {
  const int2 v = *reinterpret_cast<const int2 *>(&weights.w[in[threadIdx.x] % 4 * 2 + Shift]); /*A*/
  out[threadIdx.x] = v.x;
}
LAUNCHER(al_argument) { argument_kernel<0><<<1, 32>>>(Weights{0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, in, out); }
LAUNCHER(al_argument_repaired) { argument_kernel<1><<<1, 32>>>(Weights{0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, in, out); }

/* case al_alike */
struct Base {
  int a[3];
};
#pragma pack(push, 1)
struct Derived : Base {
  char c;
  int4 q;
};
#pragma pack(pop)
__device__ Derived derived[3];
typedef short loose_short __attribute__((aligned(1)));

__global__ void alike_kernel(const int *in, int *out) { /* all of this a device takes */
  __shared__ int a[80];
  __shared__ Tight s[4];
  __shared__ Either e[4];
  __shared__ char bytes[12];
  fill(a, in);
  const int t = threadIdx.x, i = t % 4;
  memset(&s[i], 0, sizeof s[i]);
  s[i].tag = 1, s[i].a[1] = t & 3, s[i].q = make_int4(1, 2, 3, t & 3), s[i].two[1] = Two{{1, t & 3}};
  tight[i] = s[i];
  for (int k = 0; k < 4; k++) e[i].a[k] = k + i;
  for (int k = t; k < 12; k += 4) bytes[k] = 1;
  __syncthreads();
  int r = s[i].a[1] + s[3].a[1] + tight[1].a[1] + tight[i].two[1].a[1] + tight[2].two[1].a[1] + s[i].q.w;
  const Two two = tight[i].two[1];
  const int4 q = tight[3].q, u = e[i].q;
  int4 m;
  memcpy(&m, &a[t + 1], sizeof m);
  int w;
  memcpy(&w, (const char *)a + 4 * t + 1, sizeof w);
  const int y = reinterpret_cast<const int4 *>(&a[t])->y + QUAD(a[t + 1]).w; /* one number of it */
  const int4 z = ((const int4 *)a)[t / 2], row = *(const int4 *)&a[t / 2 * 4];
  const float f = *(const float *)&a[t + 1];
  const unsigned bits = *(const unsigned *)&a[t + 2];
  const loose_short loose = *(const loose_short *)&bytes[1 + 2 * i];
  if (t < 3) derived[t].a[2] = 7, derived[t].c = 1, derived[t].q = make_int4(1, 1, 1, 1);
  __syncwarp(0xf);
  const Derived copy = derived[1];
  const int4 dq = derived[2].q;
  int own[9];
  for (int k = 0; k < 9; k++) own[k] = in[k];
  const int4 l = *(const int4 *)&own[i / 2 * 4];
  const int3 l3 = *(const int3 *)&own[i];
  r += two.a[1] + q.w + u.x + m.x + (w > 5) + y + z.x + row.x + (f > 1) + (int)bits + (loose > 5) + copy.a[2] + dq.x + l.x + l3.x;
  out[t] = r ? 1 : 0;
}
LAUNCHER(al_alike) { alike_kernel<<<1, 4>>>(in, out); }

/* ---- matrices of a warp ---- */

/* case al_matrix */
template <class T, int Shift, int LinesB, int LinesC> __global__ void matrix_kernel(float *out, const float *zeros) { /* the product of two matrices of ones */
  __shared__ T wa[400], wb[432]; /* aligned as their elements say: a device, too, gives them more */
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  for (int i = threadIdx.x; i < 400; i += 32) wa[i] = T(1.0f);
  for (int i = threadIdx.x; i < 432; i += 32) wb[i] = T(1.0f);
  __syncwarp();
  wmma::fill_fragment(c, 0.0f);
  wmma::load_matrix_sync(a, wa + Shift, 24); /*A*/
  wmma::load_matrix_sync(b, wb + 16, LinesB); /*B*/
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, LinesC, wmma::mem_row_major); /*C*/
  wmma::load_matrix_sync(c, zeros + Shift / 2, 20, wmma::mem_row_major); /*D*/
  if (c.x[0] != 0) out[0] = c.x[0];
}
LAUNCHER(al_matrix) { matrix_kernel<half, 8, 20, 17><<<1, 32>>>((float *)out, (const float *)acc); }
LAUNCHER(al_matrix_repaired) { matrix_kernel<__nv_bfloat16, 0, 24, 20><<<1, 32>>>((float *)out, (const float *)acc); }

} // namespace aligned
