// rounding.cu - arithmetic in a given direction: sums, products, quotients, roots, fused, float and double.
#include "feature.h"

__global__ void right(double *out, float third, double tenth) {
  out[0] = (__fadd_ru(1.0f, 1e-10f) > 1) + 2 * (__fadd_rd(1.0f, 1e-10f) == 1) + 4 * (__fsub_rz(1.0f, 1e-10f) < 1);
  out[1] = (__fmul_ru(third, third) > __fmul_rd(third, third)) + 2 * (__fdiv_ru(1, 3) > __fdiv_rd(1, 3));
  out[2] = (__fsqrt_ru(2) > __fsqrt_rd(2)) + 2 * (__frcp_ru(3) > __frcp_rz(3)) + 4 * (__fmaf_ru(third, 3, 1) >= __fmaf_rd(third, 3, 1));
  out[3] = (__dadd_ru(1, 1e-20) > 1) + 2 * (__dmul_ru(tenth, tenth) > __dmul_rd(tenth, tenth)) + 4 * (__ddiv_rn(1, 4) == 0.25);
  out[4] = (__dsqrt_ru(2) > __dsqrt_rd(2)) + 2 * (__fma_rn(tenth, 10, -1) != 0) + 4 * (__drcp_ru(3) > __drcp_rd(3));
}

RIGHT(rounding) { right<<<1, 1>>>(out, 1 / 3.0f, 0.1); }
EXPECTED(rounding) { return i == 1 ? 3 : 7; }
