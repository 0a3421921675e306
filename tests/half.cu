// half.cu - the operations of half_ops.def, for tests/test_half.c.
#include <cuda_fp16.h>

namespace halves {

enum Op {
#define OP(NAME) NAME,
#define HALF1(NAME, of_a, reference) OP(NAME)
#define HALF2(NAME, of_a_b, reference) OP(NAME)
#define TRUTH(NAME, of_a_b, reference) OP(NAME)
#define WHOLE(NAME, of_a, reference, of_nan) OP(NAME)
#define FROM(NAME, of_d, direction) OP(NAME)
#include "half_ops.def"
#undef OP
#undef HALF1
#undef HALF2
#undef TRUTH
#undef WHOLE
#undef FROM
};

__device__ half incremented(half a) { return a++, a; }
__device__ half added(half a, half b) { return a += b; }
__device__ half subtracted(half a, half b) { return a -= b; }
__device__ half assigned(float v) {
  half h;
  h = v;
  return h;
}

__device__ long long result_of(half h) { return __half_as_ushort(h); }

__global__ void apply(int op, const half *as, const half *bs, const double *ds, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const half a = as ? as[i] : half(0), b = bs ? bs[i] : half(0);
  const double d = ds ? ds[i] : 0;
  switch (static_cast<Op>(op)) {
#define HALF1(NAME, of_a, reference) case NAME: out[i] = result_of(of_a); break;
#define HALF2(NAME, of_a_b, reference) case NAME: out[i] = result_of(of_a_b); break;
#define TRUTH(NAME, of_a_b, reference) case NAME: out[i] = (of_a_b); break;
#define WHOLE(NAME, of_a, reference, of_nan) case NAME: out[i] = static_cast<long long>(of_a); break;
#define FROM(NAME, of_d, direction) case NAME: out[i] = result_of(of_d); break;
#include "half_ops.def"
#undef HALF1
#undef HALF2
#undef TRUTH
#undef WHOLE
#undef FROM
  }
}

__global__ void doubles(const double *ds, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = result_of(__double2half(ds[i]));
}

__global__ void fused(const half *as, const half *bs, const half *cs, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = result_of(__hfma(as[i], bs[i], cs[i]));
}

__device__ bool same(half2 v, half x, half y) {
  return __half_as_ushort(v.x) == __half_as_ushort(x) && __half_as_ushort(v.y) == __half_as_ushort(y);
}

// How many of the functions on pairs do not do on each half what those on halves do.
__global__ void pairs(const half *as, const half *bs, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const half a = as[i], b = bs[i];
  const half2 p = __halves2half2(a, b), q = __lowhigh2highlow(p), r = __half2half2(b);
  int n = 0;
#define PAIR1(name2, name) n += !same(name2(p), name(a), name(b));
#define PAIR2(name2, name) n += !same(name2(p, q), name(a, b), name(b, a));
  PAIR1(__hneg2, __hneg) PAIR1(__habs2, __habs) PAIR1(h2sqrt, hsqrt) PAIR1(h2rsqrt, hrsqrt) PAIR1(h2rcp, hrcp)
  PAIR1(h2exp, hexp) PAIR1(h2exp2, hexp2) PAIR1(h2exp10, hexp10) PAIR1(h2log, hlog) PAIR1(h2log2, hlog2)
  PAIR1(h2log10, hlog10) PAIR1(h2sin, hsin) PAIR1(h2cos, hcos) PAIR1(h2tanh, htanh) PAIR1(h2ceil, hceil)
  PAIR1(h2floor, hfloor) PAIR1(h2trunc, htrunc) PAIR1(h2rint, hrint)
  PAIR2(__hadd2, __hadd) PAIR2(__hsub2, __hsub) PAIR2(__hmul2, __hmul) PAIR2(__h2div, __hdiv) PAIR2(__hmax2, __hmax)
  PAIR2(__hmin2, __hmin) PAIR2(__hmax2_nan, __hmax_nan) PAIR2(__hmin2_nan, __hmin_nan) PAIR2(__hadd2_sat, __hadd_sat)
  PAIR2(__hmul2_sat, __hmul_sat) PAIR2(__heq2, __heq) PAIR2(__hltu2, __hltu) PAIR2(operator+, __hadd)
  PAIR2(operator-, __hsub) PAIR2(operator*, __hmul) PAIR2(operator/, __hdiv)
  n += !same(__hfma2(p, q, r), __hfma(a, b, b), __hfma(b, a, b));
  n += !same(__hfma2_relu(p, q, r), __hfma_relu(a, b, b), __hfma_relu(b, a, b));
  n += !same(__low2half2(p), a, a) + !same(__highs2half2(p, q), b, a);
  n += !same(__floats2half2_rn(__low2float(p), __high2float(p)), __float2half(__half2float(a)), __float2half(__half2float(b)));
  out[i] = n;
#undef PAIR1
#undef PAIR2
}

// (a + ib) (b + ic) + (c + ia), the real part in the lower half of out.
__global__ void complexes(const half *as, const half *bs, const half *cs, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const half2 r = __hcmadd(make_half2(as[i], bs[i]), make_half2(bs[i], cs[i]), make_half2(cs[i], as[i]));
  out[i] = result_of(r.x) | result_of(r.y) << 16;
}

// Sum over a warp by halves, by pairs, and by atomics on both.
__global__ void sums(const half *in, half *out) {
  half v = in[threadIdx.x];
  half2 w = __halves2half2(v, __hneg(v));
  atomicAdd(&out[4], v);
  atomicAdd(reinterpret_cast<half2 *>(&out[6]), w);
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    v = __hadd(v, __shfl_down_sync(0xffffffffu, v, lanes));
    w = __hadd2(w, __shfl_xor_sync(0xffffffffu, w, lanes));
  }
  if (threadIdx.x == 0) out[0] = __shfl_sync(1u, v, 0), *reinterpret_cast<half2 *>(&out[2]) = w, out[1] = __ldg(&in[3]);
}

} // namespace halves

using namespace halves;
enum { THREADS = 256 };
static const half *as_halves(const void *p) { return static_cast<const half *>(p); }

extern "C" void half_apply(int op, const void *a, const void *b, const double *d, long long *out, int n) {
  apply<<<n / THREADS, THREADS>>>(op, as_halves(a), as_halves(b), d, out);
}
extern "C" void half_doubles(const double *d, long long *out, int n) { doubles<<<n / THREADS, THREADS>>>(d, out); }
extern "C" void half_fused(const void *a, const void *b, const void *c, long long *out, int n) {
  fused<<<n / THREADS, THREADS>>>(as_halves(a), as_halves(b), as_halves(c), out);
}
extern "C" void half_pairs(const void *a, const void *b, long long *out, int n) {
  pairs<<<n / THREADS, THREADS>>>(as_halves(a), as_halves(b), out);
}
extern "C" void half_complex(const void *a, const void *b, const void *c, long long *out, int n) {
  complexes<<<n / THREADS, THREADS>>>(as_halves(a), as_halves(b), as_halves(c), out);
}
extern "C" void half_sums(const void *in, void *out) { sums<<<1, 32>>>(as_halves(in), static_cast<half *>(out)); }
