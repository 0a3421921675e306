// worklist.cu
#include "worklist.cuh"

__device__ unsigned long long pushes;
__constant__ int unreached = -1;

static __device__ int reserve(Worklist list) { return atomicAdd(list.count, 1); } // FAULT uninit-global

__device__ bool worklistPush(Worklist list, int item) {
  const int at = reserve(list);
  if (at >= list.capacity) return false;
  list.items[at] = item;
  atomicAdd(&pushes, 1ull);
  return true;
}

__device__ int worklistGet(Worklist list, int index) { return list.items[index]; }
