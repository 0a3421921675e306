// wmma.cu - nvcuda::wmma: a product of halves through shared memory, of bfloats in the other two shapes.
#include <mma.h>
#include "feature.h"
using namespace nvcuda;

__device__ half a16[32 * 32], b16[32 * 32];
__device__ __nv_bfloat16 abf[32 * 16], bbf[16 * 32];
__global__ void fill() {
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) a16[i] = __float2half(i * 7 % 11 - 5), b16[i] = __float2half(i * 3 % 7 - 3);
  for (int i = threadIdx.x; i < 512; i += blockDim.x) abf[i] = __float2bfloat16(i * 5 % 13 - 6), bbf[i] = __float2bfloat16(i * 11 % 9 - 4);
}

/* A warp a tile of 16 x 16; the tiles of a and b are common to the block. */
template <bool Waits> __global__ void product(float *c, int K) {
  __shared__ alignas(32) half sa[32][16], sb[16][32];
  const int warp = threadIdx.x / 32, row = warp / 2 * 16, col = warp % 2 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int k = 0; k < K; k += 16) {
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      sa[i / 16][i % 16] = a16[i / 16 * K + k + i % 16];
      sb[i / 32][i % 32] = b16[(k + i / 32) * 32 + i % 32];
    }
    if (Waits) __syncthreads();
    wmma::load_matrix_sync(fa, &sa[row][0], 16);
    wmma::load_matrix_sync(fb, &sb[0][col], 32);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncthreads();
  }
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2;
  wmma::store_matrix_sync(c + row * 32 + col, fc, 32, wmma::mem_row_major);
}

__device__ float wide[8 * 32], tall[32 * 8];
__device__ half sums[16 * 16];
__global__ void shapes() {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, __nv_bfloat16, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 8, 32, 16, float> c;
  wmma::load_matrix_sync(a, abf, 16);
  wmma::load_matrix_sync(b, bbf, 16);
  wmma::fill_fragment(c, 1.0f);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(wide, c, 8, wmma::mem_col_major);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __nv_bfloat16, wmma::col_major> ta;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::row_major> tb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> tc;
  wmma::load_matrix_sync(ta, abf, 32);
  wmma::load_matrix_sync(tb, bbf, 8);
  wmma::load_matrix_sync(tc, wide, 8, wmma::mem_row_major);
  wmma::mma_sync(tc, ta, tb, tc);
  wmma::store_matrix_sync(tall, tc, 8, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> ha;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> hb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> hc;
  wmma::load_matrix_sync(ha, a16, 16);
  wmma::load_matrix_sync(hb, b16, 16);
  wmma::fill_fragment(hc, __float2half(0.0f));
  wmma::mma_sync(hc, ha, hb, hc);
  wmma::store_matrix_sync(sums, hc, 16, wmma::mem_row_major);
}
__device__ float result[32 * 32];
__global__ void tell(double *out) {
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = result[i];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) out[1024 + i] = wide[i], out[1280 + i] = tall[i], out[1536 + i] = __half2float(sums[i]);
}

template <bool Waits> static void run(double *out) {
  void *c;
  fill<<<1, 128>>>();
  cudaGetSymbolAddress(&c, result);
  product<Waits><<<1, 128>>>(static_cast<float *>(c), 32);
  shapes<<<1, 32>>>();
  tell<<<1, 128>>>(out);
}

RIGHT(wmma) { run<true>(out); }
WRONG(wmma) { run<false>(out); }
EXPECTED(wmma) {
  auto a = [](int k) { return k * 7 % 11 - 5; };
  auto b = [](int k) { return k * 3 % 7 - 3; };
  auto c = [](int k) { return k * 5 % 13 - 6; };
  auto d = [](int k) { return k * 11 % 9 - 4; };
  auto at = [&](int n) { // of the wide one, whose columns are consecutive
    double sum = 1;
    for (int k = 0; k < 16; k++) sum += c(n % 8 * 16 + k) * d(n / 8 * 16 + k);
    return sum;
  };
  double sum = 0;
  if (i < 1024) {
    for (int k = 0; k < 32; k++) sum += 2 * a(i / 32 * 32 + k) * b(k * 32 + i % 32);
    return sum;
  }
  const int n = i % 256;
  if (i < 1280) return at(n);
  if (i < 1536) {
    sum = at(n);
    for (int k = 0; k < 16; k++) sum += c(k * 32 + n / 8) * d(k * 8 + n % 8);
    return sum;
  }
  for (int k = 0; k < 16; k++) sum += a(k * 16 + n / 16) * b(k * 16 + n % 16);
  return sum;
}
