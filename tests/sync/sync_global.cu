/* sync_global.cu - blocks that hand data to other blocks by flags, counters and atomics: pairs of a right and a wrong form. See
 * sync_block.cu. */
#include "pair.h"

/* case message: data, fence, flag; flag, fence, data */
template <bool Right> __global__ void message_kernel(const int *in, int *out, int *box, volatile int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    if constexpr (Right) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    out[0] = *box; /*!*/
  }
}
PAIR(message) { message_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case message_reader: the reader's fence alone is missing */
template <bool Right> __global__ void message_reader_kernel(const int *in, int *out, int *box, volatile int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    if constexpr (Right) __threadfence();
    out[0] = *box; /*!*/
  }
}
PAIR(message_reader) { message_reader_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case message_scope: a fence of the block does not reach the other one */
template <bool Right> __global__ void message_scope_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    box[threadIdx.x] = in[threadIdx.x]; /*!*/
    if constexpr (Right) __threadfence();
    else __threadfence_block();
    atomicAdd(flag, 1);
  } else {
    while (atomicAdd(flag, 0) < (int)blockDim.x)
      ;
    __threadfence();
    out[threadIdx.x] = box[threadIdx.x ^ 1]; /*!*/
  }
}
PAIR(message_scope) { message_scope_kernel<Right><<<2, 20>>>(in, out, acc, acc + 20); }

/* case reader_scope: nor does one on the reader's side */
template <bool Right> __global__ void reader_scope_kernel(const int *in, int *out, int *box, volatile int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    if constexpr (Right) __threadfence_system();
    else __threadfence_block();
    out[0] = *box; /*!*/
  }
}
PAIR(reader_scope) { reader_scope_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case fence_early: the fence stands in front of the data */
template <bool Right> __global__ void fence_early_kernel(const int *in, int *out, int2 *box, int *flag) {
  if (blockIdx.x == 0) {
    if constexpr (!Right) __threadfence();
    *box = make_int2(in[1], in[2]); /*!*/
    if constexpr (Right) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicCAS(flag, 1, 1) != 1)
      ;
    __threadfence();
    const int2 v = *box; /*!*/
    out[0] = 10 * v.x + v.y;
  }
}
PAIR(fence_early) { fence_early_kernel<Right><<<2, 1>>>(in, out, (int2 *)acc, acc + 4); }

/* case plain_flag: the flag itself is written with a plain store */
template <bool Right> __global__ void plain_flag_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    __threadfence();
    if constexpr (Right) atomicExch(flag, 1);
    else *flag = 1; /*!*/
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) /*!*/
      ;
    __threadfence();
    out[0] = *box; /*!*/
  }
}
PAIR(plain_flag) { plain_flag_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case cached_poll: a flag that is polled past the first cache */
template <bool Right> __global__ void cached_poll_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    if constexpr (Right) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (__ldcg(flag) == 0) __nanosleep(20);
    __threadfence();
    out[0] = *box; /*!*/
  }
}
PAIR(cached_poll) { cached_poll_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case cached_data: which orders nothing, however: the data needs its flag and fences */
template <bool Right> __global__ void cached_data_kernel(const int *in, int *out, int *box, int *flag) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[t] = in[t]; /*!*/
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(flag, 1);
  } else {
    if (Right && t == 0)
      while (__ldcv(flag) == 0)
        ;
    __syncthreads();
    __threadfence();
    out[t] = __ldcg(&box[39 - t]); /*!*/
  }
}
PAIR(cached_data) { cached_data_kernel<Right><<<2, 40>>>(in, out, acc, acc + 40); }

/* case all_write: every thread writes, a barrier, one thread tells; its fence covers what the barrier has ordered */
template <bool Right> __global__ void all_write_kernel(const int *in, int *out, int *box, volatile int *flag) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[t] = in[t]; /*!*/
    if (!Right && t == 0) __threadfence();
    __syncthreads();
    if (t == 0) {
      if constexpr (Right) __threadfence();
      *flag = 1;
    }
  } else {
    if (t == 0) {
      while (*flag == 0)
        ;
      __threadfence();
    }
    __syncthreads();
    out[t] = box[47 - t]; /*!*/
  }
}
PAIR(all_write) { all_write_kernel<Right><<<2, 48>>>(in, out, acc, acc + 48); }

/* case all_fence: each thread has its own fence in front of the barrier */
template <bool Right> __global__ void all_fence_kernel(const int *in, int *out, int *box, int *flag) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[t] = in[t]; /*!*/
    if (Right || t < 32) __threadfence();
    __syncthreads();
    if (t == 0) atomicAdd(flag, 1);
  } else {
    if (t == 0)
      while (!atomicAdd(flag, 0))
        ;
    __syncthreads();
    __threadfence();
    out[t] = box[47 - t]; /*!*/
  }
}
PAIR(all_fence) { all_fence_kernel<Right><<<2, 48>>>(in, out, acc, acc + 48); }

/* case lane_acquires: one lane waits for the others of its warp; a shuffle does not pass on what it has learnt */
template <bool Right> __global__ void lane_acquires_kernel(const int *in, int *out, int *box, int *flag) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    box[t] = in[t]; /*!*/
    __syncwarp();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    int ready = 0;
    if (t == 0) {
      while (!(ready = atomicAdd(flag, 0)))
        ;
      __threadfence();
    }
    ready = __shfl_sync(~0u, ready, 0);
    if constexpr (Right) __syncwarp();
    out[t] = ready * box[31 - t]; /*!*/
  }
}
PAIR(lane_acquires) { lane_acquires_kernel<Right><<<2, 32>>>(in, out, acc, acc + 32); }

/* case variables: data and flag are variables of the device */
__device__ int told;
__device__ volatile int is_told;
template <bool Right> __global__ void variables_kernel(const int *in, int *out) {
  if (blockIdx.x == 0) {
    told = in[3]; /*!*/
    if constexpr (Right) __threadfence();
    is_told = 1;
  } else {
    while (!is_told)
      ;
    __threadfence();
    out[0] = told; /*!*/
  }
}
PAIR(variables) { variables_kernel<Right><<<2, 1>>>(in, out); }

/* case block_waits: all threads of a block go round a barrier until one of them sees that it is their turn */
template <bool Right> __global__ void block_waits_kernel(const int *in, int *out, int *sum, int *turn) {
  const int t = threadIdx.x;
  for (int now = -1; !__syncthreads_or(now == (int)blockIdx.x);)
    if (t == 0) {
      now = *(volatile int *)turn;
      __threadfence();
    }
  sum[t] += in[t]; /*!*/
  if (blockIdx.x == gridDim.x - 1) out[t] = sum[t];
  __syncthreads();
  if (t == 0) {
    if constexpr (Right) __threadfence();
    atomicExch(turn, blockIdx.x + 1);
  }
}
PAIR(block_waits) { block_waits_kernel<Right><<<4, 40>>>(in, out, acc, acc + 40); }

/* case chain: a message goes through a third block, whose fence passes on what it has learnt */
template <bool Right> __global__ void chain_kernel(const int *in, int *out, int *box, volatile int *flag) {
  if (blockIdx.x == 0) {
    box[0] = in[4]; /*!*/
    __threadfence();
    flag[0] = 1;
  } else if (blockIdx.x == 1) {
    while (!flag[0])
      ;
    if constexpr (Right) __threadfence();
    flag[1] = 1;
  } else {
    while (!flag[1])
      ;
    __threadfence();
    out[0] = box[0]; /*!*/
  }
}
PAIR(chain) { chain_kernel<Right><<<3, 1>>>(in, out, acc, acc + 4); }

/* case chain_counter: atomics on one counter carry it on by themselves, a store does not */
template <bool Right> __global__ void chain_counter_kernel(const int *in, int *out, int *box, int *turn) {
  if (blockIdx.x == 0) {
    box[0] = in[4]; /*!*/
    __threadfence();
    atomicExch(turn, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(turn, 0) != 1)
      ;
    if constexpr (Right) atomicAdd(turn, 1);
    else *(volatile int *)turn = 2;
  } else {
    while (atomicAdd(turn, 0) != 2)
      ;
    __threadfence();
    out[0] = box[0]; /*!*/
  }
}
PAIR(chain_counter) { chain_counter_kernel<Right><<<3, 1>>>(in, out, acc, acc + 4); }

/* case last_block */
template <bool Right> __global__ void last_block_kernel(const int *in, int *out, int *part, unsigned *ticket) {
  __shared__ bool last;
  const int t = threadIdx.x;
  int v = in[blockIdx.x * blockDim.x + t];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t == 0) {
    part[blockIdx.x] = v; /*!*/
    if constexpr (Right) __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (t == 0) {
    int sum = 0;
    for (unsigned k = 0; k < gridDim.x; k++) sum += part[k]; /*!*/
    out[0] = sum;
    *ticket = 0;
  }
}
PAIR(last_block) { last_block_kernel<Right><<<5, 32>>>(in, out, acc, (unsigned *)acc + 8); }

/* case last_block_reader: the last block has no fence of its own; where the data is volatile it needs none */
template <bool Right> __global__ void last_block_reader_kernel(const int *in, int *out, int *part, unsigned *ticket) {
  __shared__ bool last;
  const int t = threadIdx.x;
  if constexpr (Right) ((volatile int *)part)[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t];
  else part[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t]; /*!*/
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int k = t; k < 96; k += 32)
    if constexpr (Right) sum += ((volatile int *)part)[k];
    else sum += part[k]; /*!*/
  out[t] = sum;
}
PAIR(last_block_reader) { last_block_reader_kernel<Right><<<3, 32>>>(in, out, acc, (unsigned *)acc + 96); }

/* case block_scope: a counter of all blocks with atomics of the block's scope */
template <bool Right> __global__ void block_scope_kernel(const int *in, int *count) {
  if constexpr (Right) atomicAdd(count, in[threadIdx.x]);
  else atomicAdd_block(count, in[threadIdx.x]); /*!*/
}
template <int> __global__ void copy_kernel(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
PAIR(block_scope) {
  block_scope_kernel<Right><<<3, 10>>>(in, acc);
  copy_kernel<0><<<1, 1>>>(acc, out);
}

/* case block_scope_flag: a flag raised with block scope is not seen in order elsewhere */
template <bool Right> __global__ void block_scope_flag_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4];
    __threadfence();
    if constexpr (Right) atomicExch(flag, 1);
    else atomicExch_block(flag, 1); /*!*/
  } else {
    while (!atomicAdd(flag, 0)) /*!*/
      ;
    __threadfence();
    out[0] = *box;
  }
}
PAIR(block_scope_flag) { block_scope_flag_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case look_back: an aggregate and its state in two words */
template <bool Right> __global__ void look_back_kernel(const int *in, int *out, int *sum, volatile int *state) {
  const int b = blockIdx.x;
  sum[2 * b] = in[b]; /*!*/
  if constexpr (Right) __threadfence();
  state[b] = 1;
  int before = 0;
  for (int p = b - 1; p >= 0; p--) {
    int s;
    while ((s = state[p]) == 0)
      ;
    __threadfence();
    if (s == 2) {
      before += sum[2 * p + 1]; /*!*/
      break;
    }
    before += sum[2 * p]; /*!*/
  }
  sum[2 * b + 1] = before + in[b]; /*!*/
  if constexpr (Right) __threadfence();
  state[b] = 2;
  out[b] = before + in[b];
}
PAIR(look_back) { look_back_kernel<Right><<<8, 1>>>(in, out, acc, acc + 16); }

/* case look_back_word: both in one word of 64 bits need no fence; as two halves they do */
template <bool Right> __global__ void look_back_word_kernel(const int *in, int *out, unsigned long long *word) {
  const int b = blockIdx.x;
  unsigned long long before = 0;
  if (b > 0) {
    if constexpr (Right) {
      while (!((before = *(volatile unsigned long long *)&word[b - 1]) >> 32))
        ;
    } else {
      volatile int *half = (volatile int *)&word[b - 1];
      while (!half[1])
        ;
      before = (unsigned)((int *)&word[b - 1])[0]; /*!*/
    }
  }
  const unsigned sum = (unsigned)before + (unsigned)in[b];
  if constexpr (Right) *(volatile unsigned long long *)&word[b] = 1ull << 32 | sum;
  else {
    ((int *)&word[b])[0] = (int)sum; /*!*/
    ((volatile int *)&word[b])[1] = 1;
  }
  out[b] = (int)sum;
}
PAIR(look_back_word) { look_back_word_kernel<Right><<<8, 1>>>(in, out, (unsigned long long *)acc); }

/* case grid_barrier: all blocks meet, then read what others wrote */
template <bool Fence> __device__ void meet(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (Fence) __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < goal)
      ;
    __threadfence();
  }
  __syncthreads();
}
template <bool Right> __global__ void grid_barrier_kernel(const int *in, int *out, int *tmp, unsigned *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  tmp[i] = in[i]; /*!*/
  meet<Right>(count, gridDim.x);
  const int v = tmp[(i + 40) % n]; /*!*/
  meet<Right>(count, 2 * gridDim.x);
  tmp[i] = v + 1; /*!*/
  meet<Right>(count, 3 * gridDim.x);
  out[i] = tmp[(i + 17) % n]; /*!*/
}
PAIR(grid_barrier) { grid_barrier_kernel<Right><<<4, 33>>>(in, out, acc, (unsigned *)acc + 132); }

/* case grid_sense: a barrier whose sense turns; the last one to arrive resets the counter, or forgets to */
template <bool Right> __global__ void grid_sense_kernel(const int *in, int *out, int *tmp, int *count, volatile int *sense) {
  tmp[blockIdx.x] = in[blockIdx.x];
  int mine = 0;
  for (int k = 0; k < 3; k++) {
    mine = !mine;
    __threadfence();
    if (atomicAdd(count, 1) == (int)gridDim.x - 1) {
      if constexpr (Right) atomicExch(count, 0);
      __threadfence();
      *sense = mine;
    } else
      while (*sense != mine) /*!*/
        ;
    __threadfence();
  }
  out[blockIdx.x] = tmp[(blockIdx.x + 1) % gridDim.x];
}
PAIR(grid_sense) { grid_sense_kernel<Right><<<5, 1>>>(in, out, acc, acc + 8, acc + 9); }

/* case grid_full: more blocks than a device holds wait for one another */
template <bool Right> __global__ void grid_full_kernel(int *out, unsigned *count) {
  extern __shared__ int fill[];
  fill[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) /*!*/
      __nanosleep(50); /*!*/
    out[blockIdx.x] = fill[0];
  }
}
PAIR(grid_full) {
  const int bytes = 120000; /* one block a multiprocessor, of which there are 132 */
  cudaFuncSetAttribute(grid_full_kernel<Right>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  grid_full_kernel<Right><<<Right ? 132 : 133, 32, bytes>>>(out, (unsigned *)acc);
}

/* case wait_for_later: a block waits for one that starts behind it */
template <bool Right> __global__ void wait_for_later_kernel(const int *in, int *out, int *box, volatile int *flag) {
  if (blockIdx.x + 1 < gridDim.x) {
    while (!flag[blockIdx.x + 1])
      ;
    __threadfence();
    out[blockIdx.x] = box[blockIdx.x + 1]; /*!*/
  }
  box[blockIdx.x] = in[blockIdx.x]; /*!*/
  if constexpr (Right) __threadfence();
  flag[blockIdx.x] = 1;
}
PAIR(wait_for_later) { wait_for_later_kernel<Right><<<12, 1>>>(in, out, acc, acc + 12); }

/* case equal_blocks: all blocks write the same total */
template <bool Right> __global__ void equal_blocks_kernel(const int *in, int *out) {
  if (!Right || blockIdx.x == 2) out[0] = in[7]; /*!*/
}
PAIR(equal_blocks) { equal_blocks_kernel<Right><<<4, 1>>>(in, out); }

/* case two_owners: neighbouring blocks both write the element between them */
template <bool Right> __global__ void two_owners_kernel(const int *in, int *out) {
  const int first = blockIdx.x * 10, end = first + (Right ? 10 : 11);
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = in[i] + blockIdx.x; /*!*/
}
PAIR(two_owners) { two_owners_kernel<Right><<<3, 4>>>(in, out); }

/* case in_place: a stencil that writes its input */
template <bool Right> __global__ void in_place_kernel(const int *from, int *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = from[i - 1] + from[i + 1]; /*!*/
}
PAIR(in_place) { in_place_kernel<Right><<<3, 20>>>(Right ? in : acc, Right ? out : acc, 60); }

/* case float_sum: an addition by compare and swap, or by nothing */
template <bool Right> __global__ void float_sum_kernel(const int *in, float *sum) {
  const float v = (float)in[blockIdx.x * blockDim.x + threadIdx.x];
  if constexpr (Right) {
    int *bits = (int *)sum, old = *bits, assumed;
    do {
      assumed = old;
      old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) + v));
    } while (assumed != old);
  } else
    *sum += v; /*!*/
}
template <int> __global__ void to_int_kernel(const float *from, int *to) { to[0] = (int)from[0]; }
PAIR(float_sum) {
  float_sum_kernel<Right><<<3, 8>>>(in, (float *)acc);
  to_int_kernel<0><<<1, 1>>>((float *)acc, out);
}

/* case streams: the second kernel reads what the first one writes, in another stream */
template <int> __global__ void write_kernel(const int *in, int *tmp) { tmp[threadIdx.x] = 2 * in[threadIdx.x]; /*!*/ }
template <int> __global__ void read_kernel(const int *tmp, int *out) { out[threadIdx.x] = tmp[threadIdx.x] + 1; /*!*/ }
PAIR(streams) {
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEventCreate(&done);
  write_kernel<0><<<1, 32, 0, a>>>(in, acc);
  cudaEventRecord(done, a);
  if constexpr (Right) cudaStreamWaitEvent(b, done, 0);
  read_kernel<0><<<1, 32, 0, b>>>(acc, out);
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

/* case memset_stream: a buffer is cleared in one stream while a kernel of another adds to it */
template <int> __global__ void add_kernel(const int *in, int *out) { atomicAdd(&out[threadIdx.x % 8], in[threadIdx.x]); /*!*/ }
PAIR(memset_stream) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaMemsetAsync(out, 0, 8 * sizeof(int), a); /*!*/
  if constexpr (Right) cudaStreamSynchronize(a);
  add_kernel<0><<<1, 32, 0, b>>>(in, out);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
