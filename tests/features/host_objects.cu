// host_objects.cu - the C++ library in host code beside kernels: shared pointers, atomics, threads, locks, call_once.
#include <atomic>
#include <cuda_runtime.h>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
#include "feature.h"

struct Pair {
  int a, b;
};

static std::mutex host_lock;
static std::once_flag host_once;
static std::atomic<int> host_made{0};
static std::atomic<long long> host_sum{0};
static std::atomic<Pair> host_pair{};

__global__ void gather(double *out, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = from[i] + n;
}

static std::shared_ptr<int> device_ints(const std::vector<int> &from) {
  int *p = nullptr;
  cudaMalloc(&p, from.size() * sizeof *p);
  cudaMemcpy(p, from.data(), from.size() * sizeof *p, cudaMemcpyHostToDevice);
  return std::shared_ptr<int>(p, [](int *gone) { cudaFree(gone); });
}

static void work(std::vector<int> &all, int who) {
  std::call_once(host_once, [] { host_made++; });
  host_sum.fetch_add(who, std::memory_order_relaxed);
  const std::lock_guard<std::mutex> held(host_lock);
  all.push_back(who);
}

static void run(double *out, int n) {
  std::vector<int> all;
  std::vector<std::thread> threads;
  host_sum.store(0);
  for (int i = 0; i < 4; i++) threads.emplace_back(work, std::ref(all), i);
  for (std::thread &t : threads) t.join();
  const int made = host_made.load(), sum = (int)host_sum.load(), pair = host_pair.load().b;
  const std::vector<int> told = {made, sum, (int)all.size(), pair};
  const std::shared_ptr<int> first = device_ints(told), second = first;
  gather<<<1, 8>>>(out, second.get(), n);
  cudaDeviceSynchronize();
}

RIGHT(host_objects) { run(out, 4); }
WRONG(host_objects) { run(out, 5); }
EXPECTED(host_objects) { return (i == 0 ? 1 : i == 1 ? 6 : i == 2 ? 4 : 0) + 4; }
