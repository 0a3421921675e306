// vector_arithmetic.cu - helper_math.h, as NVIDIA's samples have it: operators and functions of float3, float4, int2 ...
#include <cuda_runtime.h>
#include <helper_math.h>
#include "feature.h"

__global__ void pull(float4 *to, const float4 *bodies, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float3 at = make_float3(bodies[i]);
  float3 sum = make_float3(0.0f);
  for (int k = 0; k < 4; k++) {
    const float3 apart = make_float3(bodies[k]) - at;
    sum += apart * bodies[k].w / (1.0f + dot(apart, apart));
  }
  to[i] = make_float4(clamp(sum, -1.0f, 1.0f), length(sum));
}

__global__ void tell(double *out, const float4 *v) {
  const int i = threadIdx.x;
  const int2 whole = make_int2(i, 3) * 2 - make_int2(1) + min(make_int2(5, i), make_int2(2));
  const float3 normal = cross(make_float3(1, 0, 0), make_float3(0, 1, 0));
  const float4 middle = lerp(v[i], -v[i], 0.5f);
  out[i] = whole.x + whole.y + dot(normal, make_float3(9, 9, 0.25f)) + (v[i].w >= 0 && middle.x == 0 && fabs(v[i]).y >= 0);
}

static void run(double *out, int n) {
  float4 bodies[4] = {{0, 0, 0, 1}, {1, 0, 0, 2}, {0, 2, 0, 1}, {0, 0, -3, 4}}, *d, *to;
  cudaMalloc(&d, sizeof bodies);
  cudaMalloc(&to, sizeof bodies);
  cudaMemcpy(d, bodies, sizeof bodies, cudaMemcpyHostToDevice);
  pull<<<1, 32>>>(to, d, n);
  tell<<<1, 4>>>(out, to);
  cudaFree(d), cudaFree(to);
}

RIGHT(vector_arithmetic) { run(out, 4); }
WRONG(vector_arithmetic) { run(out, 5); }
EXPECTED(vector_arithmetic) { return 2 * i - 1 + 2 + 5 + (i < 2 ? i : 2) + 0.25 + 1; }
