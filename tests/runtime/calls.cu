// calls.cu - the runtime's functions, used rightly or refused as a device refuses: each function returns 0, or the line of a check that failed.
// What is refused here is no finding. The values are an H200's. Compiled by nvcc as well, for the signatures.
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <nvtx3/nvToolsExt.h>

#define CHECK(condition) \
  do \
    if (!(condition)) return __LINE__; \
  while (0)
#define GIVES(error, call) CHECK((call) == (error) && cudaGetLastError() == (error))
#define OK(call) CHECK((call) == cudaSuccess)

__global__ void fill(float *p, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value + i;
}

struct Odd {
  float x, y, z; // reaches a function in two registers
};
struct Mixed {
  double d;
  int i;
};
struct Large {
  int value[40];
};
__global__ void mixture(float *out, Odd odd, char c, Mixed mixed, Large large, float4 four, short s) {
  out[0] = odd.x;
  out[1] = odd.y;
  out[2] = odd.z;
  out[3] = c;
  out[4] = static_cast<float>(mixed.d);
  out[5] = static_cast<float>(mixed.i);
  out[6] = static_cast<float>(large.value[39]);
  out[7] = four.w;
  out[8] = s;
}

template <class T> __global__ void __launch_bounds__(256) bounded(T *p) {
  __shared__ T shared[1000];
  shared[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = shared[255 - threadIdx.x];
}

__global__ void dynamic(int *out) {
  extern __shared__ int buffer[];
  buffer[0] = 7;
  out[0] = buffer[0];
}

__constant__ float coefficient[4] = {1, 2, 3, 4};
__device__ int counter[2];
__managed__ int shared_counter = 40;
__managed__ float shared_table[6] = {1, 2, 3};
__managed__ int addressed[2] = {5, 6};
static int *const its_address = addressed; // where the linker has put it
struct Node {
  Node *next;
  int value;
};
__managed__ Node tail = {nullptr, 3}, head = {nullptr, 4};

__global__ void use_managed(int *sum) {
  for (Node *n = &head; n; n = n->next) *sum += n->value++;
  shared_table[5] = shared_table[2] + 1;
  addressed[0] += addressed[1];
}

__global__ void use_symbols(float *out) {
  out[threadIdx.x] = coefficient[threadIdx.x];
  if (threadIdx.x == 0) {
    counter[1] = counter[0] + 1;
    shared_counter += 2;
  }
}

extern "C" int memory() {
  float *p, *q;
  void *v = &p;
  size_t before, after, total;
  OK(cudaMemGetInfo(&before, &total));
  CHECK(total > before && before > total / 2);
  OK(cudaMalloc(&p, 1 << 20));
  OK(cudaMalloc(&q, 1));
  CHECK(p && q && p != q && reinterpret_cast<size_t>(p) % 256 == 0 && reinterpret_cast<size_t>(q) % 256 == 0);
  OK(cudaMemGetInfo(&after, &total));
  CHECK(after <= before - (1 << 20));
  OK(cudaMalloc(&v, 0));
  CHECK(v == nullptr);
  GIVES(cudaErrorInvalidValue, cudaMalloc(static_cast<void **>(nullptr), 4));
  GIVES(cudaErrorMemoryAllocation, cudaMalloc(&v, size_t(1) << 50));
  OK(cudaFree(nullptr));
  OK(cudaFree(p));
  OK(cudaFree(q));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMallocAsync(&p, 400, stream));
  fill<<<1, 100, 0, stream>>>(p, 0, 100);
  OK(cudaFreeAsync(p, stream));
  OK(cudaStreamDestroy(stream));
  cudaMemPool_t pool;
  unsigned long long threshold = ~0ull;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaMemGetInfo(&after, &total));
  CHECK(after == before);
  return 0;
}

// What a pool says of itself, from its first allocation to its last.
static int counts(cudaMemPool_t pool, cudaStream_t stream) {
  float *p, *q;
  int reuses = 0;
  unsigned long long n = 7;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuses));
  CHECK(reuses == 1);
  reuses = 5;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuses));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuses));
  CHECK(reuses == 1);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &n));
  CHECK(n == 0);
  OK(cudaMallocFromPoolAsync(&p, 1000, pool, stream));
  OK(cudaMallocAsync(&q, 24, pool, stream));
  fill<<<1, 250, 0, stream>>>(p, 0, 250);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &n));
  CHECK(n == 1024);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &n));
  CHECK(n == 32 << 20);
  GIVES(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
  GIVES(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &n));
  OK(cudaFreeAsync(q, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaFree(p));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &n));
  CHECK(n == 0);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
  CHECK(n == 1024);
  n = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
  CHECK(n == 0);
  OK(cudaMemPoolTrimTo(pool, 0));
  return 0;
}

extern "C" int pools() {
  cudaMemPool_t own, small, current, first;
  cudaStream_t stream;
  cudaMemPoolProps how = {};
  cudaMemAccessDesc access = {};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  float *p;
  GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &how));
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  how.location.id = 3;
  GIVES(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &how));
  how.location.id = 0;
  OK(cudaMemPoolCreate(&own, &how));
  how.maxSize = 1000;
  OK(cudaMemPoolCreate(&small, &how));
  OK(cudaStreamCreate(&stream));
  int line = counts(own, stream);
  if (line) return line;
  OK(cudaMallocFromPoolAsync(&p, 1 << 20, small, stream));
  OK(cudaFreeAsync(p, stream));
  GIVES(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&p, 1 << 26, small, stream));
  access.location.type = cudaMemLocationTypeDevice;
  GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(own, &access, 1));
  access.flags = cudaMemAccessFlagsProtReadWrite;
  OK(cudaMemPoolSetAccess(own, &access, 1));
  OK(cudaMemPoolGetAccess(&flags, own, &access.location));
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  OK(cudaDeviceGetDefaultMemPool(&first, 0));
  OK(cudaDeviceSetMemPool(0, own));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == own && first != own);
  unsigned long long n = 0;
  OK(cudaMallocAsync(&p, 1000, stream));
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &n));
  CHECK(n == 1000);
  GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(first));
  OK(cudaMemPoolDestroy(own)); // what was allocated from it stays
  OK(cudaMemPoolDestroy(small));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == first);
  fill<<<1, 250, 0, stream>>>(p, 0, 250);
  OK(cudaFreeAsync(p, stream));
  OK(cudaStreamDestroy(stream));
  return 0;
}

extern "C" int host_memory() {
  float *pinned, *other, *own = static_cast<float *>(malloc(4096));
  float *device;
  cudaPointerAttributes a;
  OK(cudaMallocHost(&pinned, 4096));
  OK(cudaHostAlloc(&other, 4096, cudaHostAllocMapped | cudaHostAllocPortable));
  OK(cudaMalloc(&device, 4096));
  pinned[0] = 0; // host code
  fill<<<4, 256>>>(pinned, 1, 1024);
  OK(cudaDeviceSynchronize());
  CHECK(pinned[0] == 1 && pinned[1023] == 1024);
  void *seen;
  OK(cudaHostGetDevicePointer(&seen, other, 0));
  CHECK(seen == other);
  GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&seen, own, 0));
  unsigned flags;
  OK(cudaHostGetFlags(&flags, other));
  CHECK(flags == (cudaHostAllocMapped | cudaHostAllocPortable));
  OK(cudaHostRegister(own, 4096, cudaHostRegisterDefault));
  GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, 4096, 0));
  OK(cudaHostGetDevicePointer(&seen, own, 0));
  CHECK(seen == own);
  fill<<<4, 256>>>(own, 5, 1024);
  OK(cudaDeviceSynchronize());
  CHECK(own[1] == 6);
  OK(cudaPointerGetAttributes(&a, own));
  CHECK(a.type == cudaMemoryTypeHost);
  OK(cudaHostUnregister(own));
  GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
  OK(cudaPointerGetAttributes(&a, own));
  CHECK(a.type == cudaMemoryTypeUnregistered && a.device == cudaInvalidDeviceId && !a.devicePointer && a.hostPointer == own);
  OK(cudaPointerGetAttributes(&a, pinned + 3));
  CHECK(a.type == cudaMemoryTypeHost && a.device == 0 && a.devicePointer == pinned + 3 && a.hostPointer == pinned + 3);
  OK(cudaPointerGetAttributes(&a, device));
  CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == device && !a.hostPointer);
  OK(cudaFreeHost(pinned));
  OK(cudaFreeHost(other));
  OK(cudaFreeHost(nullptr));
  OK(cudaFree(device));
  free(own);
  return 0;
}

extern "C" int copies() {
  float host[100], back[100], *a, *b, *pinned;
  for (int i = 0; i < 100; i++) host[i] = static_cast<float>(i), back[i] = -1;
  OK(cudaMalloc(&a, sizeof host));
  OK(cudaMalloc(&b, sizeof host));
  OK(cudaMallocHost(&pinned, sizeof host));
  OK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, b, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(!memcmp(host, back, sizeof host));
  OK(cudaMemcpy(b + 10, host, 40, cudaMemcpyDefault));
  OK(cudaMemcpy(back, b, sizeof host, cudaMemcpyDefault));
  CHECK(back[9] == 9 && back[10] == 0 && back[19] == 9 && back[20] == 20);
  OK(cudaMemcpy(pinned, a, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(pinned[99] == 99);
  OK(cudaMemcpy(back, host, sizeof host, cudaMemcpyHostToHost));
  CHECK(back[10] == 10);
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyAsync(a, pinned, sizeof host, cudaMemcpyHostToDevice, stream));
  fill<<<1, 50, 0, stream>>>(a, 100, 50);
  OK(cudaMemcpyAsync(pinned, a, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(pinned[0] == 100 && pinned[49] == 149 && pinned[50] == 50);
  OK(cudaMemcpyAsync(back, a, sizeof host, cudaMemcpyDeviceToHost, stream)); // to pageable memory: over when it returns
  CHECK(back[49] == 149);
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(a, host, 4, static_cast<cudaMemcpyKind>(7)));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(a));
  OK(cudaFree(b));
  OK(cudaFreeHost(pinned));
  return 0;
}

extern "C" int copies_of_rows() {
  float host[6][8], back[6][8] = {}, *p;
  size_t pitch;
  for (int i = 0; i < 48; i++) host[i / 8][i % 8] = static_cast<float>(i);
  OK(cudaMallocPitch(&p, &pitch, 5 * sizeof(float), 6));
  CHECK(pitch == 512);
  OK(cudaMemcpy2D(p, pitch, host, sizeof host[0], 5 * sizeof(float), 6, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DAsync(back, sizeof back[0], p, pitch, 5 * sizeof(float), 6, cudaMemcpyDeviceToHost, nullptr));
  OK(cudaDeviceSynchronize());
  CHECK(back[5][4] == 44 && back[5][5] == 0 && back[0][4] == 4);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 16, host, sizeof host[0], 20, 2, cudaMemcpyHostToDevice));
  OK(cudaFree(p));
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, make_cudaExtent(12, 3, 2)));
  CHECK(box.pitch == 512 && box.xsize == 12 && box.ysize == 3);
  OK(cudaMemset3D(box, 1, make_cudaExtent(12, 3, 2)));
  unsigned char bytes[2][3][12] = {};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(bytes, 12, 12, 3);
  copy.extent = make_cudaExtent(12, 3, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  CHECK(bytes[0][0][0] == 1 && bytes[1][2][11] == 1);
  OK(cudaFree(box.ptr));
  return 0;
}

extern "C" int sets() {
  unsigned char *p, back[64];
  OK(cudaMalloc(&p, 64));
  OK(cudaMemset(p, 0xab, 64));
  OK(cudaMemsetAsync(p + 8, 1, 8, nullptr));
  OK(cudaMemset2D(p + 32, 8, 2, 4, 3));
  OK(cudaMemcpy(back, p, 64, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0xab && back[7] == 0xab && back[8] == 1 && back[15] == 1 && back[16] == 0xab);
  CHECK(back[32] == 2 && back[35] == 2 && back[36] == 0xab && back[51] == 2 && back[52] == 0xab);
  OK(cudaMemset(nullptr, 0, 0));
  OK(cudaFree(p));
  return 0;
}

extern "C" int symbols() {
  float host[4] = {10, 20, 30, 40}, *out;
  int numbers[2] = {6, 0};
  void *address;
  size_t bytes;
  OK(cudaMalloc(&out, sizeof host));
  use_symbols<<<1, 4>>>(out);
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 1 && host[3] == 4); // as they were initialised
  host[1] = 50;
  OK(cudaMemcpyToSymbol(coefficient, host + 1, 2 * sizeof(float), 2 * sizeof(float)));
  OK(cudaMemcpyToSymbol(counter, numbers, sizeof numbers));
  use_symbols<<<1, 4>>>(out);
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 1 && host[1] == 2 && host[2] == 50 && host[3] == 3);
  OK(cudaMemcpyFromSymbol(numbers, counter, sizeof(int), sizeof(int)));
  CHECK(numbers[0] == 7);
  OK(cudaMemcpyFromSymbolAsync(numbers, counter, sizeof numbers, 0, cudaMemcpyDeviceToHost, nullptr));
  CHECK(numbers[0] == 6 && numbers[1] == 7);
  OK(cudaGetSymbolAddress(&address, counter));
  OK(cudaMemset(address, 0, sizeof numbers));
  OK(cudaMemcpyFromSymbol(numbers, counter, sizeof numbers));
  CHECK(numbers[0] == 0 && numbers[1] == 0);
  OK(cudaGetSymbolSize(&bytes, coefficient));
  CHECK(bytes == sizeof host);
  GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, static_cast<const void *>(host)));
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(static_cast<const void *>(out), host, 4));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(coefficient, host, 4, 0, cudaMemcpyDeviceToHost));
  OK(cudaFree(out));
  return 0;
}

extern "C" int managed() {
  float *p, *out;
  cudaPointerAttributes a;
  OK(cudaMallocManaged(&p, 400));
  OK(cudaMalloc(&out, 16));
  for (int i = 0; i < 100; i++) p[i] = 1;
  fill<<<1, 100>>>(p, 3, 100);
  OK(cudaDeviceSynchronize());
  CHECK(p[0] == 3 && p[99] == 102);
  OK(cudaPointerGetAttributes(&a, p));
  CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == p && a.hostPointer == p);
  int before = shared_counter;
  use_symbols<<<1, 4>>>(out);
  OK(cudaDeviceSynchronize());
  CHECK(shared_counter == before + 2);
  OK(cudaFree(out));
  GIVES(cudaErrorInvalidValue, cudaMallocManaged(&out, 4, 77));
  OK(cudaFree(p));
  return 0;
}

extern "C" int managed_variables() {
  float back[6], *where;
  size_t bytes;
  int *sum;
  cudaPointerAttributes a;
  OK(cudaMallocManaged(&sum, 4));
  *sum = 0;
  head.next = &tail;
  int before = head.next->value + head.value, had = its_address[0];
  shared_table[2] = 7;
  use_managed<<<1, 1>>>(sum);
  OK(cudaDeviceSynchronize());
  CHECK(*sum == before && head.value + tail.value == before + 2 && head.next == &tail);
  CHECK(shared_table[5] == 8 && shared_table[1] == 2 && its_address[0] == had + 6);
  OK(cudaMemcpyFromSymbol(back, shared_table, sizeof back));
  CHECK(back[5] == 8);
  back[4] = 11;
  OK(cudaMemcpyToSymbol(shared_table, back + 4, 4, 16));
  CHECK(shared_table[4] == 11);
  OK(cudaMemcpy(shared_table + 1, back + 4, 4, cudaMemcpyDefault));
  CHECK(shared_table[1] == 11);
  OK(cudaGetSymbolSize(&bytes, shared_table));
  OK(cudaGetSymbolAddress(reinterpret_cast<void **>(&where), shared_table));
  CHECK(bytes == 24 && where == shared_table);
  OK(cudaPointerGetAttributes(&a, shared_table));
  CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == shared_table);
  OK(cudaMemset(shared_table, 0, sizeof shared_table));
  OK(cudaDeviceSynchronize());
  CHECK(shared_table[4] == 0);
  OK(cudaFree(sum));
  return 0;
}

static void count(void *data) { ++*static_cast<int *>(data); }
static void CUDART_CB count_back(cudaStream_t, cudaError_t status, void *data) { *static_cast<int *>(data) += status == cudaSuccess ? 10 : 100; }

extern "C" int streams() {
  cudaStream_t a, b;
  int calls = 0, priority = 9, least, greatest;
  unsigned flags = 9;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  OK(cudaLaunchHostFunc(a, count, &calls));
  OK(cudaStreamAddCallback(b, count_back, &calls, 0));
  OK(cudaStreamSynchronize(a));
  OK(cudaStreamQuery(b));
  OK(cudaDeviceSynchronize());
  CHECK(calls == 11);
  OK(cudaStreamGetFlags(b, &flags));
  CHECK(flags == cudaStreamNonBlocking);
  OK(cudaStreamGetPriority(a, &priority));
  CHECK(priority == 0);
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0 && greatest < 0);
  OK(cudaStreamDestroy(a));
  OK(cudaStreamDestroy(b));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  GIVES(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  return 0;
}

extern "C" int events() {
  cudaEvent_t start, end, never;
  float ms = 0, *p;
  OK(cudaMalloc(&p, 4));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&never));
  OK(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  OK(cudaEventRecord(start));
  OK(cudaEventRecord(end, nullptr));
  OK(cudaEventSynchronize(end));
  OK(cudaEventQuery(end));
  OK(cudaEventQuery(never));
  OK(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms > 0);
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, never));
  fill<<<1, 1>>>(p, 1, 1);
  OK(cudaEventRecord(end));
  CHECK(cudaEventElapsedTime(&ms, start, end) == cudaErrorNotReady); // it waits for nothing
  OK(cudaDeviceSynchronize());
  OK(cudaEventElapsedTime(&ms, start, end));
  OK(cudaFree(p));
  OK(cudaStreamWaitEvent(nullptr, never, 0));
  OK(cudaStreamWaitEvent(nullptr, end));
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(end));
  OK(cudaEventDestroy(never));
  return 0;
}

extern "C" int errors() {
  int device;
  CHECK(!strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation"));
  CHECK(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
  CHECK(!strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered"));
  CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  CHECK(!strcmp(cudaGetErrorString(static_cast<cudaError_t>(4242)), "unrecognized error code"));
  CHECK(cudaErrorLaunchFailure == 719 && cudaErrorNotReady == 600 && cudaErrorUnknown == 999);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  OK(cudaGetDevice(&device)); // a success does not clear it
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice && cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  return 0;
}

extern "C" int device() {
  int n = 0, which = 9, value = 0, version = 0, can = 9;
  size_t limit = 0;
  char id[32];
  cudaDeviceProp prop;
  cudaFuncCache config;
  OK(cudaGetDeviceCount(&n));
  OK(cudaGetDevice(&which));
  OK(cudaSetDevice(0));
  CHECK(n == 1 && which == 0);
  OK(cudaGetDeviceProperties(&prop, 0));
  CHECK(!strcmp(prop.name, "NVIDIA H200") && prop.major == 9 && prop.minor == 0 && prop.multiProcessorCount == 132);
  CHECK(prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024 && prop.sharedMemPerBlock == 49152 && prop.sharedMemPerBlockOptin == 232448);
  CHECK(prop.totalGlobalMem == 150109880320u && prop.maxGridSize[1] == 65535 && prop.maxThreadsDim[2] == 64);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(value == 132);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(value == 233472);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
  CHECK(value == 1980000);
  GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(4242), 0));
  GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 3));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
  OK(cudaDriverGetVersion(&version));
  CHECK(version == 13000);
  OK(cudaRuntimeGetVersion(&version));
  CHECK(version == 13000 && CUDART_VERSION == 13000);
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  CHECK(limit == 1024);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  CHECK(limit == 4096);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  GIVES(cudaErrorInvalidValue, cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(77)));
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OK(cudaDeviceGetCacheConfig(&config));
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK(can == 0);
  OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  OK(cudaDeviceGetByPCIBusId(&which, id));
  CHECK(which == 0);
  OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  OK(cudaProfilerStart());
  nvtxRangePush("range");
  nvtxRangePop();
  nvtxMark("mark");
  OK(cudaProfilerStop());
  return 0;
}

extern "C" int kernels() {
  cudaFuncAttributes a;
  const char *name = nullptr;
  OK(cudaFuncGetAttributes(&a, bounded<float>));
  CHECK(a.sharedSizeBytes == 4000 && a.maxThreadsPerBlock == 256 && a.maxDynamicSharedSizeBytes == 45152 && a.binaryVersion == 90);
  OK(cudaFuncGetAttributes(&a, fill));
  CHECK(a.sharedSizeBytes == 0 && a.maxThreadsPerBlock == 1024);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  OK(cudaFuncGetAttributes(&a, dynamic));
  CHECK(a.maxDynamicSharedSizeBytes == 232448);
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(dynamic, static_cast<cudaFuncAttribute>(99), 1));
  OK(cudaFuncSetAttribute(reinterpret_cast<const void *>(dynamic), cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  GIVES(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&a, static_cast<const void *>(&a)));
  OK(cudaFuncSetCacheConfig(dynamic, cudaFuncCachePreferShared));
  OK(cudaFuncGetName(&name, reinterpret_cast<const void *>(fill)));
  CHECK(strstr(name, "fill"));
  int *out, got = 0;
  OK(cudaMalloc(&out, 4));
  dynamic<<<1, 1, 200000>>>(out);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 7);
  OK(cudaFree(out));
  return 0;
}

extern "C" int launches() {
  float *p, got = 0, value = 8;
  int n = 64;
  OK(cudaMalloc(&p, 64 * sizeof *p));
  void *args[] = {&p, &value, &n};
  OK(cudaLaunchKernel(fill, dim3(2), dim3(32), args));
  OK(cudaMemcpy(&got, p + 63, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 71);
  value = 9;
  OK(cudaLaunchKernel(reinterpret_cast<const void *>(fill), dim3(2), dim3(32), args, 0, nullptr));
  OK(cudaMemcpy(&got, p + 63, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 72);
  OK(cudaLaunchCooperativeKernel(fill, dim3(2), dim3(32), args));
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.gridDim = 2;
  config.blockDim = 32;
  config.attrs = attribute;
  config.numAttrs = 1;
  OK(cudaLaunchKernelEx(&config, fill, p, 10, 64)); // the arguments are converted
  OK(cudaMemcpy(&got, p + 63, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 73);
  OK(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(fill), args));
  OK(cudaMemcpy(&got, p + 63, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 72);
  GIVES(cudaErrorInvalidResourceHandle, cudaLaunchKernel(static_cast<const void *>(&value), dim3(1), dim3(1), args, 0, nullptr));
  OK(cudaFree(p));
  return 0;
}

extern "C" int arguments() {
  float *out, got[9];
  Odd odd = {1, 2, 3};
  Mixed mixed = {4.5, 5};
  Large large = {};
  float4 four = make_float4(0, 0, 0, 7);
  char c = 'c';
  short s = -8;
  large.value[39] = 6;
  OK(cudaMalloc(&out, sizeof got));
  void *args[] = {&out, &odd, &c, &mixed, &large, &four, &s};
  OK(cudaLaunchKernel(mixture, dim3(1), dim3(1), args));
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got[0] == 1 && got[1] == 2 && got[2] == 3 && got[3] == 'c' && got[4] == 4.5f && got[5] == 5 && got[6] == 6 && got[7] == 7 && got[8] == -8);
  OK(cudaFree(out));
  return 0;
}

struct FourBytesAThread {
  __host__ __device__ size_t operator()(int threads) const { return size_t(threads) * 4; }
};

extern "C" int occupancy() {
  static const int sizes[][3] = {{32, 32, 5}, {64, 32, 5}, {96, 21, 5}, {128, 16, 5}, {192, 10, 5}, {256, 8, 5}, {512, 4, 4}, {768, 2, 2}, {1024, 2, 2}, {1025, 0, 0}};
  int blocks, grid, block;
  size_t bytes;
  for (const auto &row : sizes) {
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, row[0], 0));
    CHECK(blocks == row[1]);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, row[0], 40000));
    CHECK(blocks == row[2]);
  }
  GIVES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 32, 300000));
  CHECK(blocks == 0);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0));
  CHECK(grid == 264 && block == 1024);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded<float>));
  CHECK(grid == 1056 && block == 256);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, FourBytesAThread()));
  CHECK(block == 1024);
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 2, 256));
  CHECK(bytes > 100000 && bytes < 116736);
  return 0;
}

extern "C" int many_allocations() {
  enum { N = 400 };
  static float *p[N];
  for (int i = 0; i < N; i++) OK(cudaMalloc(&p[i], 100));
  for (int i = 0; i < N; i++) fill<<<1, 32>>>(p[i], static_cast<float>(i), 25);
  for (int i = 0; i < N; i++) {
    float got[25];
    OK(cudaMemcpy(got, p[i], sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == i && got[24] == i + 24);
  }
  for (int i = 0; i < N; i++) OK(cudaFree(p[i]));
  for (int i = 0; i < 3 * N; i++) { // addresses come round again
    OK(cudaMalloc(&p[0], 100));
    OK(cudaMemset(p[0], 0, 100));
    OK(cudaFree(p[0]));
  }
  return 0;
}

extern "C" int hints() {
  float *p;
  OK(cudaMallocManaged(&p, 4096));
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  OK(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device));
  OK(cudaMemPrefetchAsync(p, 4096, device, 0, nullptr));
  OK(cudaFree(p));
  return 0;
}

// The types that cuBLAS has a product for (cublasGemmEx), and some that it refuses.
extern "C" int blas_types() {
  const struct {
    cudaDataType a, b, c;
    cublasComputeType_t compute;
    cublasStatus_t status;
  } rows[] = {
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUBLAS_STATUS_SUCCESS},
      {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_16F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_16F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_64F, CUBLAS_STATUS_NOT_SUPPORTED},
      {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F, CUBLAS_STATUS_NOT_SUPPORTED},
  };
  cublasHandle_t h;
  char *p;
  const double zero = 0; // in all types
  CHECK(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
  OK(cudaMalloc(&p, 96));
  OK(cudaMemset(p, 0, 96));
  for (const auto &r : rows)
    CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &zero, p, r.a, 2, p + 32, r.b, 2, &zero, p + 64, r.c, 2, r.compute,
                       CUBLAS_GEMM_DEFAULT) == r.status);
  OK(cudaFree(p));
  CHECK(cublasDestroy(h) == CUBLAS_STATUS_SUCCESS);
  return 0;
}

// Elements side by side, and a step or a row apart; backwards.
extern "C" int blas_steps() {
  enum { N = 12 };
  cublasHandle_t h;
  float host[N], got[N], *p, sum = 0;
  const float two = 2;
  for (int i = 0; i < N; i++) host[i] = static_cast<float>(i + 1);
  CHECK(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
  OK(cudaMalloc(&p, sizeof host));
  CHECK(cublasSetVector(N, sizeof *p, host, 1, p, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSscal(h, N, &two, p, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetVector(N / 2, sizeof *p, p + 1, 2, got, 1) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < N / 2; i++) CHECK(got[i] == 2 * host[2 * i + 1]);
  CHECK(cublasSetMatrix(3, 2, sizeof *p, host, 3, p, 4) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetMatrix(3, 2, sizeof *p, host, 3, p + 6, 3) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetMatrix(3, 2, sizeof *p, p + 6, 3, got, 3) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < 6; i++) CHECK(got[i] == host[i]);
  CHECK(cublasSdot(h, 6, p + 6, 1, p + 6, -1, &sum) == CUBLAS_STATUS_SUCCESS && sum == 56);
  OK(cudaFree(p));
  CHECK(cublasDestroy(h) == CUBLAS_STATUS_SUCCESS);
  return 0;
}
