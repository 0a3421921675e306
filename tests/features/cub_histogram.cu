// cub_histogram.cu - cub::BlockHistogram by sorting, whose memory the next collective uses as well, and by atomics, which need none.
#include <cub/cub.cuh>
#include "feature.h"

__global__ void histograms(double *out) {
  using Sorted = cub::BlockHistogram<unsigned char, 64, 3, 8>;
  using Atomic = cub::BlockHistogram<int, 64, 3, 8, cub::BLOCK_HISTO_ATOMIC>;
  using Exchange = cub::BlockExchange<int, 64, 3>;
  __shared__ union {
    typename Sorted::TempStorage sorted;
    typename Atomic::TempStorage atomic;
    typename Exchange::TempStorage exchange;
  } temp;
  __shared__ unsigned counts[2][8];
  unsigned char bin[3];
  int number[3];
  for (int i = 0; i < 3; i++) bin[i] = (threadIdx.x * 3 + i) % 5 + 1, number[i] = threadIdx.x * 3 + i;
  Sorted(temp.sorted).Histogram(bin, counts[0]);
  __syncthreads();
  for (int i = 0; i < 3; i++) bin[i] = threadIdx.x % 2 * 7;
  Sorted(temp.sorted).Composite(bin, counts[0]); // on top of those
  __syncthreads();
  Exchange(temp.exchange).BlockedToStriped(number);
  int value[3] = {number[0] % 2, 3, number[2] % 2 + 4};
  Atomic(temp.atomic).Histogram(value, counts[1]); // its barrier is in front of its counting
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = counts[threadIdx.x / 8][threadIdx.x % 8];
  out[16 + threadIdx.x] = number[1];
}

RIGHT(cub_histogram) { histograms<<<1, 64>>>(out); }
EXPECTED(cub_histogram) {
  const double first[] = {96, 39, 39, 38, 38, 38, 0, 96}, second[] = {32, 32, 0, 64, 32, 32, 0, 0};
  return i < 8 ? first[i] : i < 16 ? second[i - 8] : 64 + i - 16;
}
