/* sync_async.cu - asynchronous copies: what may touch their source and their destination, and when. See sync_block.cu. */
#include "pair.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* case async_own: a thread reads what it has copied itself, and needs no barrier for that */
template <bool Right> __global__ void async_own_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4); /*!*/
  __pipeline_commit();
  if constexpr (Right) __pipeline_wait_prior(0);
  out[t] = s[t]; /*!*/
}
PAIR(async_own) { async_own_kernel<Right><<<1, 64>>>(in, out); }

/* case async_others: what another thread has copied needs its wait, then a barrier */
template <bool Right> __global__ void async_others_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4); /*!*/
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if constexpr (Right) __syncthreads();
  out[t] = s[63 - t]; /*!*/
}
PAIR(async_others) { async_others_kernel<Right><<<1, 64>>>(in, out); }

/* case async_barrier_first: a barrier in front of the wait is none behind it */
template <bool Right> __global__ void async_barrier_first_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4); /*!*/
  __pipeline_commit();
  if constexpr (!Right) __syncthreads();
  __pipeline_wait_prior(0);
  if constexpr (Right) __syncthreads();
  out[t] = s[(t + 32) % 64]; /*!*/
}
PAIR(async_barrier_first) { async_barrier_first_kernel<Right><<<1, 64>>>(in, out); }

/* case async_stages: three stages in flight; the oldest is waited for, or one too few */
template <bool Right> __global__ void async_stages_kernel(const int *in, int *out, int n) {
  __shared__ int s[4][32];
  const int t = threadIdx.x, tiles = n / 32;
  for (int k = 0; k < 3; k++) {
    if (k < tiles) __pipeline_memcpy_async(&s[k][t], &in[32 * k + t], 4); /*!*/
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; k++) {
    if (k + 3 < tiles) __pipeline_memcpy_async(&s[(k + 3) % 4][t], &in[32 * (k + 3) + t], 4); /*!*/
    __pipeline_commit();
    __pipeline_wait_prior(Right ? 3 : 4);
    __syncthreads();
    out[32 * k + t] = s[k % 4][31 - t]; /*!*/
    __syncthreads();
  }
}
PAIR(async_stages) { async_stages_kernel<Right><<<1, 32>>>(in, out, n); }

/* case async_reuse: the place of a stage is filled again while others read it */
template <bool Right> __global__ void async_reuse_kernel(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  const int t = threadIdx.x, tiles = n / 64;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[64 * (k + 1) + t], 4); /*!*/
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[64 * k + t] = s[k % 2][63 - t]; /*!*/
    if constexpr (Right) __syncthreads();
  }
}
PAIR(async_reuse) { async_reuse_kernel<Right><<<1, 64>>>(in, out, n); }

/* case async_source: the thread writes what it copies from, before the copy is over */
template <bool Right> __global__ void async_source_kernel(int *acc, const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  acc[t] = in[t];
  __pipeline_memcpy_async(&s[t], &acc[t], 4); /*!*/
  __pipeline_commit();
  if constexpr (Right) __pipeline_wait_prior(0);
  acc[t] = -1; /*!*/
  if constexpr (!Right) __pipeline_wait_prior(0);
  out[t] = s[t];
}
PAIR(async_source) { async_source_kernel<Right><<<1, 64>>>(acc, in, out); }

/* case async_source_others: another thread does, behind a barrier */
template <bool Right> __global__ void async_source_others_kernel(int *acc, const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  acc[t] = in[t];
  __syncthreads();
  __pipeline_memcpy_async(&s[t], &acc[t], 4); /*!*/
  __pipeline_commit();
  if constexpr (Right) __pipeline_wait_prior(0);
  __syncthreads();
  acc[63 - t] = -1; /*!*/
  if constexpr (!Right) __pipeline_wait_prior(0);
  out[t] = s[t];
}
PAIR(async_source_others) { async_source_others_kernel<Right><<<1, 64>>>(acc, in, out); }

/* case async_target: the thread writes where its copy will arrive */
template <bool Right> __global__ void async_target_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if constexpr (Right) s[t] = 0;
  if (t < 40) __pipeline_memcpy_async(&s[t], &in[t], 4); /*!*/
  __pipeline_commit();
  if constexpr (!Right) s[t] = 0; /*!*/
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
PAIR(async_target) { async_target_kernel<Right><<<1, 64>>>(in, out); }

/* case async_neighbours: bytes beside a copy are nobody's business */
template <bool Right> __global__ void async_neighbours_kernel(const int *in, int *out) {
  __shared__ alignas(16) short s[256];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[t], 4); /*!*/
  __pipeline_commit();
  s[4 * t + (Right ? 2 : 1)] = 7; /*!*/
  s[4 * t + 3] = 8;
  __pipeline_wait_prior(0);
  out[t] = s[4 * t] + s[4 * t + 3];
}
PAIR(async_neighbours) { async_neighbours_kernel<Right><<<1, 64>>>(in, out); }

/* case async_ptx: cp.async, with a barrier only */
template <bool Right> __global__ void async_ptx_kernel(const int *in, int *out) {
  __shared__ alignas(16) int s[128];
  const int t = threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[4 * t]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(in + 4 * t)); /*!*/
  asm volatile("cp.async.commit_group;\n" ::);
  if constexpr (Right) asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  __syncthreads();
  for (int i = 0; i < 4; i++) out[4 * t + i] = s[127 - 4 * t - i]; /*!*/
}
PAIR(async_ptx) { async_ptx_kernel<Right><<<1, 32>>>(in, out); }

/* case async_no_commit: wait_group is for groups, and what is in none is not waited for */
template <bool Right> __global__ void async_no_commit_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t)); /*!*/
  if constexpr (Right) asm volatile("cp.async.wait_all;");
  else asm volatile("cp.async.wait_group 0;");
  out[t] = s[t]; /*!*/
}
PAIR(async_no_commit) { async_no_commit_kernel<Right><<<1, 64>>>(in, out); }

/* case async_group: a group's copy is waited for by cg::wait(), not by its barrier */
template <bool Right> __global__ void async_group_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  for (int k = 0; k < n / 64; k++) {
    cg::memcpy_async(block, s, in + 64 * k, sizeof s); /*!*/
    if constexpr (Right) cg::wait(block);
    else block.sync();
    out[64 * k + threadIdx.x] = s[63 - threadIdx.x]; /*!*/
    block.sync();
  }
}
PAIR(async_group) { async_group_kernel<Right><<<1, 64>>>(in, out, n); }

/* case async_group_stages: the copy of the next tile goes on while this one is used */
template <bool Right> __global__ void async_group_stages_kernel(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s[0], in, sizeof s[0]); /*!*/
  for (int k = 0; k < n / 64; k++) {
    if (64 * (k + 1) < n) {
      cg::memcpy_async(block, s[(k + 1) % 2], in + 64 * (k + 1), sizeof s[0]); /*!*/
      if constexpr (Right) cg::wait_prior<1>(block);
      else cg::wait_prior<2>(block);
    } else
      cg::wait(block);
    out[64 * k + threadIdx.x] = s[k % 2][63 - threadIdx.x]; /*!*/
    block.sync();
  }
}
PAIR(async_group_stages) {
  async_group_stages_kernel<Right><<<1, 64>>>(in, out, n);
}

/* case async_tile: a warp copies for itself */
template <bool Right> __global__ void async_tile_kernel(const int *in, int *out) {
  __shared__ int s[2][32];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int w = threadIdx.x / 32, t = threadIdx.x % 32;
  cg::memcpy_async(warp, s[w], in + 32 * w, sizeof s[w]); /*!*/
  if constexpr (Right) cg::wait(warp);
  else warp.sync();
  out[32 * w + t] = s[w][31 - t]; /*!*/
}
PAIR(async_tile) { async_tile_kernel<Right><<<1, 64>>>(in, out); }

/* case async_bound: a copy is there when the phase of its barrier has ended */
template <bool Right> __global__ void async_bound_kernel(const int *in, int *out, int n) {
  __shared__ block_barrier bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int k = 0; k < n / 64; k++) {
    cuda::memcpy_async(&s[t], &in[64 * k + t], sizeof(int), bar); /*!*/
    if constexpr (Right) bar.arrive_and_wait();
    else __syncthreads();
    out[64 * k + t] = s[63 - t]; /*!*/
    __syncthreads();
  }
}
PAIR(async_bound) { async_bound_kernel<Right><<<1, 64>>>(in, out, n); }

/* case async_bound_own: not even its own thread may look between arrival and wait */
template <bool Right> __global__ void async_bound_own_kernel(const int *in, int *out) {
  __shared__ block_barrier bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), bar); /*!*/
  auto token = bar.arrive();
  int v = 0;
  if constexpr (!Right) v = s[t]; /*!*/
  bar.wait(std::move(token));
  if constexpr (Right) v = s[t];
  out[t] = v;
}
PAIR(async_bound_own) { async_bound_own_kernel<Right><<<1, 64>>>(in, out); }

/* case async_bound_leaves: a warp copies, arrives, and is gone before the others look */
template <bool Right> __global__ void async_bound_leaves_kernel(const int *in, int *out) {
  __shared__ block_barrier bar;
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (t < 32) {
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), bar); /*!*/
    static_cast<void>(bar.arrive());
    return;
  }
  if constexpr (Right) bar.arrive_and_wait();
  else static_cast<void>(bar.arrive());
  out[t - 32] = s[63 - t]; /*!*/
}
PAIR(async_bound_leaves) { async_bound_leaves_kernel<Right><<<1, 64>>>(in, out); }

/* case pipe_thread: cuda::pipeline of a thread, two stages */
template <bool Right> __global__ void pipe_thread_kernel(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x, tiles = n / 64;
  for (int k = 0, fetched = 0; k < tiles; k++) {
    for (; fetched < tiles && fetched < k + 2; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[fetched % 2][t], &in[64 * fetched + t], sizeof(int), pipe); /*!*/
      pipe.producer_commit();
    }
    if (Right || k) pipe.consumer_wait();
    __syncthreads();
    out[64 * k + t] = s[k % 2][63 - t]; /*!*/
    __syncthreads();
    if (Right || k) pipe.consumer_release();
  }
}
PAIR(pipe_thread) { pipe_thread_kernel<Right><<<1, 64>>>(in, out, n); }

/* case pipe_wait_prior: the same by the number of stages that may be open */
template <bool Right> __global__ void pipe_wait_prior_kernel(const int *in, int *out) {
  __shared__ int s[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int k = 0; k < 2; k++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[k][t], &in[64 * k + t], cuda::aligned_size_t<4>(4), pipe); /*!*/
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<Right ? 1 : 2>(pipe);
  out[t] = s[0][t]; /*!*/
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[64 + t] = s[1][t];
}
PAIR(pipe_wait_prior) { pipe_wait_prior_kernel<Right><<<1, 64>>>(in, out); }

/* case pipe_block: cuda::pipeline of a block, all threads in both roles */
template <bool Right> __global__ void pipe_block_kernel(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x, tiles = n / 64;
  for (int k = 0, fetched = 0; k < tiles; k++) {
    for (; fetched < tiles && fetched < k + 2; fetched++) {
      if constexpr (Right) pipe.producer_acquire();
      cuda::memcpy_async(block, s[fetched % 2], in + 64 * fetched, sizeof s[0], pipe); /*!*/
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[64 * k + t] = s[k % 2][63 - t]; /*!*/
    pipe.consumer_release();
  }
}
PAIR(pipe_block) { pipe_block_kernel<Right><<<1, 64>>>(in, out, n); }

/* case pipe_block_wait: the same, and nobody waits for the first stage */
template <bool Right> __global__ void pipe_block_wait_kernel(const int *in, int *out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof s, pipe); /*!*/
  pipe.producer_commit();
  if constexpr (Right) pipe.consumer_wait();
  out[threadIdx.x] = s[63 - threadIdx.x]; /*!*/
  pipe.consumer_release();
}
PAIR(pipe_block_wait) { pipe_block_wait_kernel<Right><<<1, 64>>>(in, out); }

/* case pipe_roles: one warp copies, the other works */
template <bool Right> __global__ void pipe_roles_kernel(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int t = threadIdx.x % 32;
  for (int k = 0; k < n / 32; k++)
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[k % 2][t], &in[32 * k + t], sizeof(int), pipe); /*!*/
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      if constexpr (!Right) pipe.consumer_release();
      out[32 * k + t] = s[k % 2][31 - t]; /*!*/
      if constexpr (Right) pipe.consumer_release();
    }
}
PAIR(pipe_roles) { pipe_roles_kernel<Right><<<1, 64>>>(in, out, n); }
