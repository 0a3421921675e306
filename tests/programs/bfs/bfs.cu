// bfs.cu - breadth first search: each round takes the vertices of one list and puts those that are new into the other.
#include "graph.h"
#include "worklist.cuh"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CK(e)                                                                       \
  do {                                                                              \
    cudaError_t ck_ = (e);                                                          \
    if (ck_ != cudaSuccess) {                                                       \
      std::printf("%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(ck_));     \
      std::exit(EXIT_FAILURE);                                                      \
    }                                                                               \
  } while (0)

__global__ void initialize(int *level, int n, int source, Worklist first) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) level[v] = v == source ? 0 : unreached;
  if (blockIdx.x == 0 && threadIdx.x == 0) worklistPush(first, source);
}

__global__ void expand(const int *start, const int *edge, int *level, int depth, Worklist from, int n_from, Worklist to) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n_from) return;
  const int v = worklistGet(from, t);
  for (int e = start[v]; e < start[v + 1]; e++)
    if (atomicCAS(&level[edge[e]], unreached, depth) == unreached) worklistPush(to, edge[e]);
}

static Worklist makeList(int capacity) {
  Worklist list = {nullptr, nullptr, capacity};
  CK(cudaMalloc(&list.items, capacity * sizeof(int)));
  CK(cudaMalloc(&list.count, sizeof(int)));
#ifndef FAULT
  CK(cudaMemset(list.count, 0, sizeof(int)));
#endif
  return list;
}

static void freeList(Worklist list) {
  CK(cudaFree(list.items));
  CK(cudaFree(list.count));
}

int main() {
  Graph g;
  graph_make(&g, 1500);
  int *start, *edge, *level, n_edges = g.start[g.n], count = 0, depth = 0;
  CK(cudaMalloc(&start, (g.n + 1) * sizeof(int)));
  CK(cudaMalloc(&edge, n_edges * sizeof(int)));
  CK(cudaMalloc(&level, g.n * sizeof(int)));
  CK(cudaMemcpy(start, g.start, (g.n + 1) * sizeof(int), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(edge, g.edge, n_edges * sizeof(int), cudaMemcpyHostToDevice));
  Worklist from = makeList(g.n), to = makeList(g.n);
  initialize<<<4, 64>>>(level, g.n, 0, from);
  CK(cudaGetLastError());
  for (;;) {
    CK(cudaMemcpy(&count, from.count, sizeof count, cudaMemcpyDeviceToHost));
    if (count == 0) break;
    expand<<<(count + 127) / 128, 128>>>(start, edge, level, ++depth, from, count, to);
    CK(cudaGetLastError());
    CK(cudaMemset(from.count, 0, sizeof(int)));
    Worklist t = from;
    from = to;
    to = t;
  }
  int *expected = (int *)malloc(g.n * sizeof(int)), *got = (int *)malloc(g.n * sizeof(int)), reached = 0;
  unsigned long long pushed;
  CK(cudaMemcpy(got, level, g.n * sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaMemcpyFromSymbol(&pushed, pushes, sizeof pushed));
  graph_levels(&g, 0, expected);
  for (int v = 0; v < g.n; v++) reached += expected[v] >= 0;
  bool ok = std::memcmp(expected, got, g.n * sizeof(int)) == 0 && pushed == (unsigned long long)reached;
  std::printf("%s: %d of %d vertices in %d rounds\n", ok ? "PASS" : "FAIL", reached, g.n, depth);
  freeList(from);
  freeList(to);
  CK(cudaFree(start));
  CK(cudaFree(edge));
  CK(cudaFree(level));
  std::free(expected);
  std::free(got);
  graph_free(&g);
  return !ok;
}
