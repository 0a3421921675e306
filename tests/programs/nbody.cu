// nbody.cu - all pairs, with tiles of positions in dynamic shared memory.
#include "nbody.h"
#include <cuda_runtime.h>

static __device__ __forceinline__ float3 bodyBodyInteraction(float3 acc, const float4 &bi, const float4 &bj) {
  const float softening = 0.01f;
  const float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  const float d2 = r.x * r.x + r.y * r.y + r.z * r.z + softening;
  const float inv = rsqrtf(d2);
  const float s = bj.w * inv * inv * inv;
  acc.x += r.x * s;
  acc.y += r.y * s;
  acc.z += r.z * s;
  return acc;
}

__global__ void integrate(const float4 *__restrict__ positions, float4 *__restrict__ out, float4 *velocities, int n, float dt) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = i < n ? positions[i] : make_float4(0, 0, 0, 0);
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int start = 0; start < n; start += blockDim.x) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? positions[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < blockDim.x; k++) acc = bodyBodyInteraction(acc, mine, tile[k]);
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocities[i];
  v.x += acc.x * dt;
  v.y += acc.y * dt;
  v.z += acc.z * dt;
  velocities[i] = v;
#ifdef FAULT
  const float2 yz = *reinterpret_cast<const float2 *>(&positions[i].x + 1); // FAULT misaligned
#else
  const float2 yz = make_float2(mine.y, mine.z);
#endif
  out[i] = make_float4(mine.x + v.x * dt, yz.x + v.y * dt, yz.y + v.z * dt, mine.w);
}

void nbodyStep(const float4 *positions, float4 *out, float4 *velocities, int n, float dt) {
  const int threads = 64;
  integrate<<<(n + threads - 1) / threads, threads, threads * sizeof(float4)>>>(positions, out, velocities, n, dt);
}
