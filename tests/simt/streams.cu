/* streams.cu - several streams: what orders their operations, and what does not. Rows: streams.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace streams {

__global__ void copy_kernel(int *to, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void fill_kernel(int *to, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

/* Two streams and an event, as a launcher makes them. */
struct Two {
  cudaStream_t a, b;
  cudaEvent_t event;
  explicit Two(unsigned flags = cudaStreamDefault) {
    cudaStreamCreateWithFlags(&a, flags);
    cudaStreamCreateWithFlags(&b, flags);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  ~Two() {
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(event);
  }
};

/* case streams_write_write */
__global__ void first_half_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*A*/
}
__global__ void twice_kernel(int *to, const int *from) {
  to[threadIdx.x] = 2 * from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_write_write) {
  Two two;
  first_half_kernel<<<1, n, 0, two.a>>>(out, in);
  twice_kernel<<<1, n, 0, two.b>>>(out, in);
}

/* case streams_same_value */
__global__ void seven_kernel(int *to) {
  to[threadIdx.x] = 7; /*A*/
}
LAUNCHER(streams_same_value) {
  Two two;
  seven_kernel<<<1, n, 0, two.a>>>(out);
  seven_kernel<<<1, n, 0, two.b>>>(out);
}

/* case streams_meant */
__global__ void raise_kernel(int *to) {
  // warpfuzz: race-ok: whoever raises it last, it is raised
  to[threadIdx.x] += 1; /*A*/
}
LAUNCHER(streams_meant) {
  Two two;
  raise_kernel<<<1, n, 0, two.a>>>(acc);
  raise_kernel<<<1, n, 0, two.b>>>(acc);
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_read_read */
LAUNCHER(streams_read_read) {
  Two two;
  copy_kernel<<<1, n, 0, two.a>>>(out, in, n / 2);
  copy_kernel<<<1, n, 0, two.b>>>(out + n / 2, in, n / 2);
}

/* case streams_halves */
LAUNCHER(streams_halves) {
  Two two(cudaStreamNonBlocking);
  copy_kernel<<<2, 16, 0, two.a>>>(out, in, n / 2);
  copy_kernel<<<2, 16, 0, two.b>>>(out + n / 2, in + n / 2, n - n / 2);
}

/* case streams_one_overlap */
__global__ void left_kernel(int *to, const int *from, int n) {
  if ((int)threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x]; /*A*/
}
__global__ void right_kernel(int *to, const int *from, int n) {
  if ((int)threadIdx.x < n) to[threadIdx.x] = -from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_one_overlap) {
  Two two;
  left_kernel<<<1, n, 0, two.a>>>(out, in, n / 2 + 1);
  right_kernel<<<1, n, 0, two.b>>>(out + n / 2, in, n - n / 2);
}

/* case streams_event */
LAUNCHER(streams_event) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(two.b, two.event, 0);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_event_early */
__global__ void late_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void take_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_event_early) {
  Two two;
  cudaEventRecord(two.event, two.a);
  late_kernel<<<1, n, 0, two.a>>>(acc);
  cudaStreamWaitEvent(two.b, two.event, 0);
  take_kernel<<<1, n, 0, two.b>>>(out, acc);
}

/* case streams_event_again */
LAUNCHER(streams_event_again) {
  Two two;
  cudaEventRecord(two.event, two.a);
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(two.b, two.event, 0);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_event_too_late */
__global__ void third_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void hasty_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_event_too_late) {
  Two two;
  third_kernel<<<1, n, 0, two.a>>>(acc);
  cudaEventRecord(two.event, two.a);
  hasty_kernel<<<1, n, 0, two.b>>>(out, acc);
  cudaStreamWaitEvent(two.b, two.event, 0);
}

/* case streams_no_wait */
__global__ void sum_kernel(int *to, const int *from, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += from[i];
  to[threadIdx.x] = sum; /*A*/
}
__global__ void total_kernel(int *to, const int *from, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += from[i]; /*B*/
  to[threadIdx.x] = sum;
}
LAUNCHER(streams_no_wait) {
  Two two;
  sum_kernel<<<1, 8, 0, two.a>>>(acc, in, n);
  cudaEventRecord(two.event, two.a);
  total_kernel<<<1, n, 0, two.b>>>(out, acc, 8);
}

/* case streams_never_recorded */
__global__ void unseen_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void see_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_never_recorded) {
  Two two;
  unseen_kernel<<<1, n, 0, two.a>>>(acc);
  cudaStreamWaitEvent(two.b, two.event, 0);
  see_kernel<<<1, n, 0, two.b>>>(out, acc);
}

/* case streams_event_of_destroyed */
LAUNCHER(streams_event_of_destroyed) {
  Two two;
  cudaStream_t third;
  cudaStreamCreate(&third);
  fill_kernel<<<1, n, 0, third>>>(acc, n, 3);
  cudaEventRecord(two.event, third);
  cudaStreamDestroy(third);
  cudaStreamWaitEvent(two.b, two.event, 0);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_destroyed */
__global__ void orphan_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void heir_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_destroyed) {
  Two two;
  cudaStream_t third;
  cudaStreamCreate(&third);
  orphan_kernel<<<1, n, 0, third>>>(acc);
  cudaStreamDestroy(third); /* waits for nothing */
  cudaStreamCreate(&third);
  heir_kernel<<<1, n, 0, third>>>(out, acc);
  cudaStreamDestroy(third);
}

/* case streams_chain */
LAUNCHER(streams_chain) {
  Two two(cudaStreamNonBlocking);
  cudaStream_t third;
  cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(two.b, two.event, 0);
  cudaEventRecord(two.event, two.b); /* nothing was issued to b: it tells of a all the same */
  cudaStreamWaitEvent(third, two.event, 0);
  copy_kernel<<<1, n, 0, third>>>(out, acc, n);
  cudaStreamDestroy(third);
}

/* case streams_synchronize */
LAUNCHER(streams_synchronize) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaStreamSynchronize(two.a);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_synchronize_other */
__global__ void busy_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void next_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_synchronize_other) {
  Two two;
  busy_kernel<<<1, n, 0, two.a>>>(acc);
  cudaStreamSynchronize(two.b);
  next_kernel<<<1, n, 0, two.b>>>(out, acc);
}

/* case streams_event_synchronize */
LAUNCHER(streams_event_synchronize) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaEventSynchronize(two.event);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_device_synchronize */
LAUNCHER(streams_device_synchronize) {
  Two two(cudaStreamNonBlocking);
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaDeviceSynchronize();
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_query */
LAUNCHER(streams_query) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  while (cudaStreamQuery(two.a) != cudaSuccess) {
  }
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_after_synchronize */
__global__ void old_kernel(int *to) {
  to[threadIdx.x] += 1;
}
__global__ void young_kernel(int *to) {
  to[threadIdx.x] += 1; /*A*/
}
__global__ void younger_kernel(int *to) {
  to[threadIdx.x] += 2; /*B*/
}
LAUNCHER(streams_after_synchronize) { /* what was before is over, what comes after is not */
  Two two;
  old_kernel<<<1, n, 0, two.a>>>(acc);
  cudaDeviceSynchronize();
  young_kernel<<<1, n, 0, two.b>>>(acc);
  younger_kernel<<<1, n, 0, two.a>>>(acc);
}

/* case streams_default_between */
LAUNCHER(streams_default_between) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  fill_kernel<<<1, n>>>(out, n, 1);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_default_last */
LAUNCHER(streams_default_last) {
  Two two;
  fill_kernel<<<1, n, 0, two.a>>>(acc, n / 2, 3);
  fill_kernel<<<1, n, 0, two.b>>>(acc + n / 2, n - n / 2, 4);
  copy_kernel<<<1, n, 0, cudaStreamLegacy>>>(out, acc, n);
}

/* case streams_default_event */
LAUNCHER(streams_default_event) {
  Two two(cudaStreamNonBlocking);
  cudaStream_t blocking;
  cudaStreamCreate(&blocking);
  fill_kernel<<<1, n, 0, blocking>>>(acc, n, 3);
  cudaEventRecord(two.event); /* behind the blocking stream */
  cudaStreamWaitEvent(two.b, two.event);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
  cudaStreamDestroy(blocking);
}

/* case streams_default_wait */
LAUNCHER(streams_default_wait) {
  Two two(cudaStreamNonBlocking);
  cudaStream_t blocking;
  cudaStreamCreate(&blocking);
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(nullptr, two.event); /* so blocking streams wait too */
  copy_kernel<<<1, n, 0, blocking>>>(out, acc, n);
  cudaStreamDestroy(blocking);
}

/* case streams_non_blocking */
__global__ void apart_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void default_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_non_blocking) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  apart_kernel<<<1, n, 0, stream>>>(acc);
  default_kernel<<<1, n>>>(out, acc);
  cudaStreamDestroy(stream);
}

/* case streams_non_blocking_later */
__global__ void before_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void behind_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
__global__ void one_kernel(int *to) {
  to[threadIdx.x] = 1; /*C*/
}
LAUNCHER(streams_non_blocking_later) { /* nobody knew of the stream when the first two were launched */
  cudaStream_t stream;
  before_kernel<<<1, n>>>(acc);
  one_kernel<<<1, n>>>(out);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  behind_kernel<<<1, n / 2, 0, stream>>>(out + n / 2, acc);
  cudaStreamDestroy(stream);
}

/* case streams_non_blocking_alone */
LAUNCHER(streams_non_blocking_alone) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill_kernel<<<1, n, 0, stream>>>(acc, n, 3);
  copy_kernel<<<1, n, 0, stream>>>(out, acc, n);
  cudaStreamDestroy(stream);
}

/* case streams_per_thread */
LAUNCHER(streams_per_thread) {
  fill_kernel<<<1, n, 0, cudaStreamPerThread>>>(acc, n, 3);
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_per_thread_other */
__global__ void thread_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void stranger_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_per_thread_other) {
  Two two;
  thread_kernel<<<1, n, 0, cudaStreamPerThread>>>(acc);
  stranger_kernel<<<1, n, 0, two.b>>>(out, acc);
}

/* case streams_memset */
__global__ void add_kernel(int *to, const int *from) {
  to[threadIdx.x] += from[threadIdx.x]; /*A*/
}
LAUNCHER(streams_memset) {
  Two two;
  cudaMemsetAsync(out, 0, n * sizeof *out, two.a); /*B*/
  add_kernel<<<1, n, 0, two.b>>>(out, in);
}

/* case streams_memset_behind */
__global__ void keep_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*A*/
}
LAUNCHER(streams_memset_behind) { /* made ready for the next round while this one is read */
  Two two;
  keep_kernel<<<1, n, 0, two.a>>>(out, acc);
  cudaMemsetAsync(acc, 0xff, n * sizeof *acc, two.b); /*B*/
}

/* case streams_memset_bytes */
__global__ void bytes_kernel(int *to, const unsigned char *from) {
  to[threadIdx.x] = from[4 * threadIdx.x + 1]; /*A*/
}
LAUNCHER(streams_memset_bytes) {
  Two two;
  bytes_kernel<<<1, n, 0, two.a>>>(out, (const unsigned char *)acc);
  cudaMemsetAsync((char *)acc + 4 * n - 3, 1, 1, two.b); /*B*/
}

/* case streams_memset_bytes_beside */
LAUNCHER(streams_memset_bytes_beside) {
  Two two;
  cudaMemsetAsync((char *)acc + 4 * n - 4, 1, 1, two.b);
  cudaMemsetAsync((char *)acc + 4 * n - 2, 1, 2, two.a);
  cudaDeviceSynchronize();
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_memset_order */
LAUNCHER(streams_memset_order) {
  Two two;
  cudaMemsetAsync(acc, 0xff, n * sizeof *acc, two.a);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(two.b, two.event);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_memsets */
LAUNCHER(streams_memsets) {
  Two two;
  cudaMemsetAsync(acc, 1, n * sizeof *acc, two.a); /*A*/
  cudaMemsetAsync(acc, 2, n * sizeof *acc, two.b); /*B*/
}

/* case streams_atomics */
__global__ void count_kernel(int *to, const int *from, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&to[i], from[i]);
}
LAUNCHER(streams_atomics) {
  Two two;
  count_kernel<<<2, 16, 0, two.a>>>(acc, in, n);
  count_kernel<<<2, 16, 0, two.b>>>(acc, in, n);
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_atomics_block */
__global__ void count_block_kernel(int *to, const int *from) {
  atomicAdd_block(&to[threadIdx.x], from[threadIdx.x]); /*A*/
}
LAUNCHER(streams_atomics_block) {
  Two two;
  count_block_kernel<<<1, n, 0, two.a>>>(acc, in);
  count_block_kernel<<<1, n, 0, two.b>>>(acc, in);
}

/* case streams_atomics_read */
__global__ void up_kernel(int *to, const int *from) {
  atomicAdd(&to[threadIdx.x], from[threadIdx.x]); /*A*/
}
__global__ void look_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_atomics_read) {
  Two two;
  up_kernel<<<1, n, 0, two.a>>>(acc, in);
  look_kernel<<<1, n, 0, two.b>>>(out, acc);
}

/* case streams_atomics_covered */
__global__ void top_kernel(int *to, const int *from) {
  atomicAdd(&to[threadIdx.x], from[threadIdx.x]); /*A*/
}
LAUNCHER(streams_atomics_covered) { /* a's atomics lie over the cudaMemset, for which b does not wait */
  Two two;
  cudaMemsetAsync(acc, 0, n * sizeof *acc, two.a); /*B*/
  top_kernel<<<1, n, 0, two.a>>>(acc, in);
  top_kernel<<<1, n, 0, two.b>>>(acc, in);
}

/* case streams_volatile */
__global__ void flag_kernel(volatile int *flags, int value) { flags[threadIdx.x] = value; }
LAUNCHER(streams_volatile) {
  Two two;
  flag_kernel<<<1, n, 0, two.a>>>(acc, 1);
  flag_kernel<<<1, n, 0, two.b>>>(acc, 2);
}

/* case streams_write_after_read */
__global__ void use_kernel(int *to, const int *from, int n) {
  const int i = threadIdx.x;
  to[i] = from[n - 1 - i]; /*A*/
}
__global__ void refill_kernel(int *to, int value) {
  to[threadIdx.x] = value; /*B*/
}
LAUNCHER(streams_write_after_read) {
  Two two;
  use_kernel<<<1, n, 0, two.a>>>(out, acc, n);
  refill_kernel<<<1, n, 0, two.b>>>(acc, 9);
}

/* case streams_third_reader */
__global__ void reader_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x % 8]; /*A*/
}
__global__ void writer_kernel(int *to, int value) {
  to[threadIdx.x] = value; /*B*/
}
LAUNCHER(streams_third_reader) { /* all three read it; the writer waits for two of them */
  Two two;
  cudaStream_t third;
  cudaStreamCreate(&third);
  copy_kernel<<<1, 64, 0, two.a>>>(acc + 64, acc, 32);
  copy_kernel<<<1, 64, 0, two.b>>>(acc + 128, acc, 32);
  reader_kernel<<<1, 64, 0, third>>>(out, acc);
  cudaEventRecord(two.event, two.b);
  cudaStreamWaitEvent(two.a, two.event);
  writer_kernel<<<1, 8, 0, two.a>>>(acc, 5);
  cudaStreamDestroy(third);
}

/* case streams_third_reader_waits */
LAUNCHER(streams_third_reader_waits) {
  Two two;
  cudaStream_t third;
  cudaStreamCreate(&third);
  copy_kernel<<<1, 64, 0, two.a>>>(acc + 64, acc, 32);
  copy_kernel<<<1, 64, 0, two.b>>>(acc + 128, acc, 32);
  copy_kernel<<<1, 64, 0, third>>>(acc + 192, acc, 32);
  cudaEventRecord(two.event, two.b);
  cudaStreamWaitEvent(two.a, two.event);
  cudaEventRecord(two.event, third);
  cudaStreamWaitEvent(two.a, two.event);
  fill_kernel<<<1, 64, 0, two.a>>>(acc, 32, 5);
  fill_kernel<<<1, n>>>(out, n, 1);
  cudaStreamDestroy(third);
}

/* case streams_covered_by_ordered */
__global__ void early_kernel(int *to) {
  to[threadIdx.x] = 1; /*A*/
}
__global__ void cover_kernel(int *to) {
  to[threadIdx.x] = 2; /*B*/
}
LAUNCHER(streams_covered_by_ordered) { /* b's first kernel races; its second, which waits, writes over it all */
  Two two;
  early_kernel<<<1, n, 0, two.a>>>(acc);
  cudaEventRecord(two.event, two.a);
  cover_kernel<<<1, n, 0, two.b>>>(acc);
  cudaStreamWaitEvent(two.b, two.event);
  fill_kernel<<<1, n, 0, two.b>>>(acc, n, 3);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_ping_pong */
LAUNCHER(streams_ping_pong) {
  Two two;
  for (int round = 0; round < 6; round++) {
    cudaStream_t mine = round % 2 ? two.b : two.a, other = round % 2 ? two.a : two.b;
    fill_kernel<<<2, n / 2, 0, mine>>>(acc, n, round);
    cudaEventRecord(two.event, mine);
    cudaStreamWaitEvent(other, two.event);
  }
  copy_kernel<<<1, n, 0, two.a>>>(out, acc, n);
}

/* case streams_many */
LAUNCHER(streams_many) { /* more than there may be at a time, each for a moment */
  for (int i = 0; i < 200; i++) {
    cudaStream_t stream;
    if (cudaStreamCreate(&stream) != cudaSuccess) return;
    copy_kernel<<<1, 1, 0, stream>>>(out + i % n, in + i % n, 1);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
}

/* case streams_many_destroyed */
LAUNCHER(streams_many_destroyed) { /* non-blocking ones take the numbers of blocking ones whose work the default stream waits for */
  cudaStream_t stream;
  for (int i = 0; i < n; i++) {
    if (cudaStreamCreate(&stream) != cudaSuccess) return;
    copy_kernel<<<1, 1, 0, stream>>>(acc + i, in + i, 1);
    cudaStreamDestroy(stream);
  }
  for (int i = 0; i < 70; i++) {
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
    cudaStreamDestroy(stream);
  }
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_blocks */
__global__ void three_kernel(int *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = 3; /*A*/
}
__global__ void backwards_kernel(int *to, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[n - 1 - i]; /*B*/
}
LAUNCHER(streams_blocks) {
  Two two;
  three_kernel<<<n / 32, 32, 0, two.a>>>(acc);
  backwards_kernel<<<n / 32, 32, 0, two.b>>>(out, acc, n);
}

/* case streams_variable */
__device__ int workspace[64];
__global__ void stage_kernel(const int *from) {
  workspace[threadIdx.x] = from[threadIdx.x]; /*A*/
}
__global__ void unstage_kernel(int *to) { to[threadIdx.x] = workspace[63 - threadIdx.x]; /*B*/ }
LAUNCHER(streams_variable) {
  Two two;
  stage_kernel<<<1, n, 0, two.a>>>(in);
  unstage_kernel<<<1, n, 0, two.a>>>(out);
  stage_kernel<<<1, n, 0, two.b>>>(acc);
}

/* case streams_flag */
__global__ void produce_kernel(int *data, const int *from, int *flag) {
  data[threadIdx.x] = from[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__global__ void consume_kernel(int *to, const int *data, int *flag) {
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {
    }
  __syncthreads();
  __threadfence();
  to[threadIdx.x] = data[threadIdx.x];
}
LAUNCHER(streams_flag) { /* the consumer waits on the device */
  Two two;
  produce_kernel<<<1, n / 2, 0, two.a>>>(acc, in, acc + n - 1);
  consume_kernel<<<1, n / 2, 0, two.b>>>(out, acc, acc + n - 1);
  cudaEventRecord(two.event, two.b);
  cudaStreamWaitEvent(nullptr, two.event);
  copy_kernel<<<1, n / 2>>>(out + n / 2, acc, n / 2);
}

/* case streams_flag_passed_on */
LAUNCHER(streams_flag_passed_on) { /* the third waits for the second, which has learnt of the first */
  Two two(cudaStreamNonBlocking);
  cudaStream_t third;
  cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
  produce_kernel<<<1, n / 2, 0, two.a>>>(acc, in, acc + n - 1);
  consume_kernel<<<1, n / 2, 0, two.b>>>(out, acc, acc + n - 1);
  cudaEventRecord(two.event, two.b);
  cudaStreamWaitEvent(third, two.event);
  copy_kernel<<<1, n / 2, 0, third>>>(out + n / 2, acc, n / 2);
  cudaStreamDestroy(third);
}

/* case streams_flag_before */
LAUNCHER(streams_flag_before) { /* the producer is launched when there is no second stream yet */
  produce_kernel<<<1, n / 2>>>(acc, in, acc + n - 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  consume_kernel<<<1, n / 2, 0, stream>>>(out, acc, acc + n - 1);
  cudaStreamDestroy(stream);
}

/* case streams_flag_before_other */
__global__ void give_kernel(int *data, const int *from, int *flag) {
  data[threadIdx.x] = from[threadIdx.x]; /*A*/
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__global__ void want_kernel(int *to, const int *data, int *flag) {
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 1) == 0) {
    }
  __syncthreads();
  __threadfence();
  to[threadIdx.x] = data[threadIdx.x]; /*B*/
}
LAUNCHER(streams_flag_before_other) { /* it waits at another flag */
  give_kernel<<<1, n / 2>>>(acc, in, acc + n - 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  want_kernel<<<1, n / 2, 0, stream>>>(out, acc, acc + n - 2);
  cudaStreamDestroy(stream);
}

/* case streams_flag_no_acquire */
__global__ void tell_kernel(int *data, const int *from, int *flag) {
  data[threadIdx.x] = from[threadIdx.x]; /*A*/
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__global__ void rush_kernel(int *to, const int *data, int *flag) {
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {
    }
  __syncthreads();
  to[threadIdx.x] = data[threadIdx.x]; /*B*/
}
LAUNCHER(streams_flag_no_acquire) {
  Two two;
  tell_kernel<<<1, n / 2, 0, two.a>>>(acc, in, acc + n - 1);
  rush_kernel<<<1, n / 2, 0, two.b>>>(out, acc, acc + n - 1);
}

/* case streams_flag_no_fence */
__global__ void raise_flag_kernel(int *data, const int *from, int *flag) {
  data[threadIdx.x] = from[threadIdx.x]; /*A*/
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__global__ void await_flag_kernel(int *to, const int *data, int *flag) {
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {
    }
  __syncthreads();
  to[threadIdx.x] = data[threadIdx.x]; /*B*/
}
LAUNCHER(streams_flag_no_fence) {
  Two two;
  raise_flag_kernel<<<1, n / 2, 0, two.a>>>(acc, in, acc + n - 1);
  await_flag_kernel<<<1, n / 2, 0, two.b>>>(out, acc, acc + n - 1);
}

/* case streams_flag_too_late */
__global__ void publish_kernel(int *data, const int *from, int *flag) {
  data[threadIdx.x] = from[threadIdx.x]; /*A*/
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__global__ void peek_kernel(int *to, const int *data, int *flag) {
  const int early = data[threadIdx.x]; /*B*/
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {
    }
  __syncthreads();
  __threadfence();
  to[threadIdx.x] = early;
}
LAUNCHER(streams_flag_too_late) {
  Two two;
  publish_kernel<<<1, n / 2, 0, two.a>>>(acc, in, acc + n - 1);
  peek_kernel<<<1, n / 2, 0, two.b>>>(out, acc, acc + n - 1);
}

/* case streams_ticket */
__global__ void last_block_kernel(int *to, const int *from, int *partials, int *ticket) {
  __shared__ int drawn;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = from[blockIdx.x]; /*A*/
    __threadfence();
    drawn = atomicAdd(ticket, 1);
    __threadfence();
  }
  __syncthreads();
  if (drawn % (int)gridDim.x != (int)gridDim.x - 1) return;
  if (threadIdx.x < gridDim.x) to[threadIdx.x] = partials[threadIdx.x]; /*B*/
}
LAUNCHER(streams_ticket) { /* ticket and partial results are the same for both */
  Two two;
  last_block_kernel<<<4, 32, 0, two.a>>>(out, in, acc, acc + n - 1);
  last_block_kernel<<<4, 32, 0, two.b>>>(out + n / 2, in + n / 2, acc, acc + n - 1);
}

/* case streams_kept */
static Two &kept() {
  static Two two(cudaStreamNonBlocking);
  return two;
}
LAUNCHER(streams_kept) { /* made in the first run, and used in all */
  Two &two = kept();
  fill_kernel<<<1, n, 0, two.a>>>(acc, n, 3);
  cudaEventRecord(two.event, two.a);
  cudaStreamWaitEvent(two.b, two.event);
  copy_kernel<<<1, n, 0, two.b>>>(out, acc, n);
}

/* case streams_kept_no_record */
__global__ void set_kernel(int *to) {
  to[threadIdx.x] = 3; /*A*/
}
__global__ void get_kernel(int *to, const int *from) {
  to[threadIdx.x] = from[threadIdx.x]; /*B*/
}
LAUNCHER(streams_kept_no_record) { /* an event of the run before is complete */
  Two &two = kept();
  set_kernel<<<1, n, 0, two.a>>>(acc);
  cudaStreamWaitEvent(two.b, two.event);
  get_kernel<<<1, n, 0, two.b>>>(out, acc);
  cudaEventRecord(two.event, two.a);
}

/* case streams_kept_blocking */
LAUNCHER(streams_kept_blocking) {
  static cudaStream_t stream = nullptr;
  if (!stream && cudaStreamCreate(&stream) != cudaSuccess) return;
  fill_kernel<<<1, n, 0, stream>>>(acc, n, 3);
  copy_kernel<<<1, n>>>(out, acc, n);
}

/* case streams_kept_and_destroyed */
LAUNCHER(streams_kept_and_destroyed) {
  static cudaStream_t stream = nullptr;
  if (stream && cudaStreamDestroy(stream) != cudaSuccess) return;
  cudaStreamCreate(&stream);
  copy_kernel<<<1, n, 0, stream>>>(out, in, n);
}

/* case streams_bad_handle */
LAUNCHER(streams_bad_handle) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  copy_kernel<<<1, n, 0, stream>>>(out, in, n);
  cudaStreamDestroy(stream);
  fill_kernel<<<1, n, 0, stream>>>(out, n, 7);
  if (cudaStreamDestroy(stream) != cudaErrorInvalidResourceHandle) fill_kernel<<<1, n>>>(out, n, 8);
  if (cudaEventRecord(nullptr) != cudaErrorInvalidResourceHandle) fill_kernel<<<1, n>>>(out, n, 9);
}

} // namespace streams
