// halves.cu - half and half2 as kernels use them: conversions, operators, functions, vectors, shuffles, atomics.
#include <cuda_fp16.h>

__global__ void conversions(const float *in, half *h, float *out) {
  const int i = threadIdx.x;
  half a = in[i], b(in[i]), c = __float2half(in[i]), d{};
  d = __float2half_rn(in[i]);
  d = 2;
  h[i] = __hadd(__float2half_rz(in[i]), __hadd(__float2half_ru(in[i]), __float2half_rd(in[i])));
  h[i] = __hadd(__int2half_rn(i), __hadd(__uint2half_rz(1u), __hadd(__ll2half_rn(3ll), __short2half_rn(short(2)))));
  h[i] = __double2half(1.5);
  h[i] = (half)(in[i] + 1e-3f);
  float s = static_cast<float>(a) + float(b) + (float)c + __half2float(d);
  s += __half2int_rn(a) + __half2int_rz(a) + __half2uint_ru(a) + __half2short_rd(a) + __half2ll_rn(a) + (int)a;
  const half copy = __ushort_as_half(__half_as_ushort(a));
  out[i] = s + __half2float(copy);
}

__global__ void arithmetic(const half *x, half *y, bool *truth) {
  const int i = threadIdx.x;
  const half a = x[i], b = x[i + 1];
  half s = a + b;
  s = s - a * b / (a + half(1.0f));
  s += -a;
  s -= b;
  s *= a;
  s /= b;
  ++s;
  s--;
  s = __hfma(a, b, __hadd(s, __hsub(a, __hmul(b, __hdiv(a, b)))));
  s = __hadd(__hadd_sat(a, b), __hmul_sat(a, __hneg(s)));
  s = __hadd(hsqrt(a), __hadd(hrsqrt(b), __hadd(hrcp(a), __hadd(hexp(a), hlog(b)))));
  s = __hadd(hexp2(s), __hadd(hlog2(s), __hadd(hsin(s), __hadd(hcos(s), hexp10(s)))));
  s = __hadd(hceil(s), __hadd(hfloor(s), __hadd(htrunc(s), __hadd(hrint(s), hlog10(s)))));
  y[i] = s;
  truth[i] = a < b || a == b || !(a >= b) || a != b || a > b || a <= b || __hlt(a, b) || __heq(a, b) || __hgeu(a, b) || __hisnan(s) ||
             __hisinf(s) != 0;
}

__global__ void pairs(const half2 *x, half2 *y, half *sums) {
  const int i = threadIdx.x;
  const half2 a = x[i];
  half2 b = __halves2half2(__low2half(a), __high2half(a));
  b = a + b * a - b / a;
  b += a;
  b = __hfma2(a, b, __hadd2(a, __hsub2(b, __hmul2(a, __h2div(b, a)))));
  b = __hadd2(h2sqrt(a), __hadd2(h2rsqrt(b), __hadd2(h2exp(a), __hadd2(h2log(b), h2rcp(a)))));
  b = __hadd2(__float2half2_rn(1.0f), __hadd2(__floats2half2_rn(1.0f, 2.0f), __half2half2(sums[0])));
  const float2 f = __half22float2(b);
  b = __hadd2(__float22half2_rn(f), make_half2(b.x, b.y));
  if (__hbeq2(a, b) || __hblt2(a, b)) b = __hadd2(__lowhigh2highlow(b), __heq2(a, b));
  b = __hadd2(__lows2half2(a, b), __hadd2(__highs2half2(a, b), __low2half2(b)));
  y[i] = __hadd2(b, __float2half2_rn(__low2float(a) + __high2float(b)));
  y[i].x = b.y;
}

__global__ void warps_and_atomics(const half *x, half *sums, half2 *pairs) {
  const unsigned all = 0xffffffffu;
  half v = __ldg(&x[threadIdx.x]);
  half2 w = __half2half2(v);
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) {
    v = __hadd(v, __shfl_down_sync(all, v, lanes));
    w = __hadd2(w, __shfl_xor_sync(all, w, lanes));
  }
  v = __hadd(__shfl_sync(all, v, 0), __shfl_up_sync(all, v, 1, 16));
  atomicAdd(sums, v);
  atomicAdd(pairs, w);
  extern __shared__ half buffer[];
  buffer[threadIdx.x] = v;
  half local[4] = {v, v, v, v};
  reinterpret_cast<float2 *>(pairs)[1] = *reinterpret_cast<float2 *>(local);
}
