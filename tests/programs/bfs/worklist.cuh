// worklist.cuh - a list of vertices that many threads append to. Its functions are compiled apart (nvcc -dc).
#ifndef WORKLIST_CUH
#define WORKLIST_CUH

struct Worklist {
  int *items;
  int *count;
  int capacity;
};

__device__ bool worklistPush(Worklist list, int item);
__device__ int worklistGet(Worklist list, int index);

extern __device__ unsigned long long pushes; // of all lists
extern __constant__ int unreached;

#endif
