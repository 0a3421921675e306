/* device_cuda.cu - a CUDA device (device.h). */
#include "../fuzz/arith.h"
#include "../fuzz/value.h"
extern "C" {
#include "device.h"
#include "table.h"
}
#include "device_kernels.cuh"
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { BLOCK = 256, WAVES = 16 /* blocks a multiprocessor gets of a large array */ };

struct WfDevice {
  WfDeviceInfo info;
  WfDeviceError error; /* the first that lost the context */
  char *host;          /* WfDeviceOptions.host, and where the device sees it */
  char *host_on_device;
  Comparison *comparison;
  cudaStream_t side; /* does not wait for the default stream, nor that for it */
  int clock_khz, most_shared_bytes;
};

/* ---- errors ---- */

static WfDeviceStatus status_of(cudaError_t e) {
  switch (int(e)) { /* numbers, not names: some of these are not in every toolkit */
  case 0: return WF_DEVICE_OK;
  case 700: return WF_DEVICE_ADDRESS; /* cudaErrorIllegalAddress */
  case 716: return WF_DEVICE_MISALIGNED; /* cudaErrorMisalignedAddress */
  case 710: return WF_DEVICE_ASSERT; /* cudaErrorAssert */
  case 702: return WF_DEVICE_TIMEOUT; /* cudaErrorLaunchTimeout */
  case 714: /* cudaErrorHardwareStackError */
  case 715: /* cudaErrorIllegalInstruction */
  case 717: /* cudaErrorInvalidAddressSpace */
  case 718: /* cudaErrorInvalidPc */
  case 719: /* cudaErrorLaunchFailure: __trap, and exceptions without a number of their own */
    return WF_DEVICE_TRAP;
  }
  return WF_DEVICE_LOST;
}

static void describe(WfDeviceError *out, WfDeviceStatus status, cudaError_t e) {
  out->status = status;
  out->code = int(e);
  snprintf(out->name, sizeof out->name, "%s", e == cudaSuccess ? "" : cudaGetErrorName(e));
}

static bool is_lost(const WfDevice *d) { return d->error.status != WF_DEVICE_OK; }

/* Of a call that cannot fail as long as the context is well. */
static void check(WfDevice *d, cudaError_t e) {
  if (e != cudaSuccess && !is_lost(d))
    describe(&d->error, status_of(e), e);
}

/* ---- opening ---- */

/* CUDA calls a driver that is not there one that is too old. */
static const char *reason_for_none(cudaError_t e) {
  int driver = 0;
  if (e == cudaSuccess || e == cudaErrorNoDevice)
    return "no CUDA device is visible";
  if (e == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
    return "no CUDA driver is installed";
  return cudaGetErrorString(e);
}

int wf_device_count(char *why, size_t why_size) {
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e == cudaSuccess && n > 0)
    return n;
  if (why_size > 0)
    snprintf(why, why_size, "%s", reason_for_none(e));
  return 0;
}

static int attribute(int index, cudaDeviceAttr which) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, index) == cudaSuccess ? value : 0;
}

static cudaError_t fill_info(WfDevice *d, int index) {
  cudaDeviceProp p;
  cudaError_t e = cudaGetDeviceProperties(&p, index);
  if (e != cudaSuccess)
    return e;
  snprintf(d->info.name, sizeof d->info.name, "%.*s", int(sizeof d->info.name) - 1, p.name);
  d->info.index = index;
  d->info.major = p.major;
  d->info.minor = p.minor;
  d->info.multiprocessors = p.multiProcessorCount;
  d->info.memory_bytes = p.totalGlobalMem;
  d->clock_khz = attribute(index, cudaDevAttrClockRate);
  d->most_shared_bytes = attribute(index, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if ((e = cudaDriverGetVersion(&d->info.driver)) != cudaSuccess)
    return e;
  return cudaRuntimeGetVersion(&d->info.runtime);
}

static cudaError_t share_host(WfDevice *d, const WfDeviceOptions *opt) {
  d->host = static_cast<char *>(opt->host);
  if (opt->host_bytes == 0)
    return cudaSuccess;
  cudaError_t e = cudaHostRegister(opt->host, opt->host_bytes, cudaHostRegisterMapped);
  void *p = nullptr;
  if (e == cudaSuccess)
    e = cudaHostGetDevicePointer(&p, opt->host, 0);
  d->host_on_device = static_cast<char *>(p);
  return e;
}

/* Launches here, so that a device that the kernels were not built for is no launch error of each of them. */
static cudaError_t prepare(WfDevice *d, const WfDeviceOptions *opt) {
  cudaError_t e = cudaSetDevice(opt->index);
  if (e == cudaSuccess)
    e = fill_info(d, opt->index);
  if (e == cudaSuccess)
    e = share_host(d, opt);
  if (e == cudaSuccess)
    e = cudaMalloc(&d->comparison, sizeof *d->comparison);
  if (e == cudaSuccess)
    e = cudaStreamCreateWithFlags(&d->side, cudaStreamNonBlocking);
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(soil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, d->most_shared_bytes);
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(load_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, d->most_shared_bytes);
  if (e != cudaSuccess)
    return e;
  begin_kernel<<<1, 1>>>(d->comparison);
  e = cudaGetLastError();
  return e == cudaSuccess ? cudaStreamSynchronize(nullptr) : e;
}

int wf_device_open(WfDevice **out, const WfDeviceOptions *opt, char *err, size_t err_size) {
  *out = nullptr;
  WfDevice *d = static_cast<WfDevice *>(calloc(1, sizeof *d));
  if (!d) {
    snprintf(err, err_size, "no memory");
    return -1;
  }
  cudaError_t e = prepare(d, opt);
  if (e == cudaSuccess) {
    *out = d;
    return 0;
  }
  if (e == cudaErrorNoKernelImageForDevice || e == cudaErrorUnsupportedPtxVersion)
    snprintf(err, err_size, "device %d is %s, of compute capability %d.%d, which the kernels were not built for (configure with NVCCFLAGS)",
             opt->index, d->info.name, d->info.major, d->info.minor);
  else
    snprintf(err, err_size, "device %d: %s (%s)", opt->index, cudaGetErrorString(e), cudaGetErrorName(e));
  free(d);
  return -1;
}

void wf_device_info(const WfDevice *d, WfDeviceInfo *out) { *out = d->info; }

/* ---- memory ---- */

void *wf_device_alloc(WfDevice *d, size_t bytes) {
  void *p = nullptr;
  if (is_lost(d))
    return nullptr;
  cudaError_t e = cudaMalloc(&p, bytes);
  if (e == cudaSuccess)
    return p;
  cudaGetLastError(); /* or the next launch would seem to have failed */
  if (e != cudaErrorMemoryAllocation)
    check(d, e);
  return nullptr;
}

void wf_device_free(WfDevice *d, void *p) {
  if (!is_lost(d))
    check(d, cudaFree(p));
}

static void copy(WfDevice *d, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (!is_lost(d))
    check(d, cudaMemcpyAsync(to, from, bytes, kind, nullptr));
}

void wf_device_upload(WfDevice *d, void *to, const void *host, size_t bytes) { copy(d, to, host, bytes, cudaMemcpyHostToDevice); }

void wf_device_download(WfDevice *d, void *host, const void *from, size_t bytes) { copy(d, host, from, bytes, cudaMemcpyDeviceToHost); }

void wf_device_copy(WfDevice *d, void *to, const void *from, size_t bytes) { copy(d, to, from, bytes, cudaMemcpyDeviceToDevice); }

/* Blocks for n threads' work; what is more than that goes round in strides. */
static unsigned blocks_for(const WfDevice *d, uint64_t n) {
  uint64_t wanted = (n + BLOCK - 1) / BLOCK, most = uint64_t(d->info.multiprocessors) * WAVES;
  return unsigned(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

template <class Unit> static void fill(WfDevice *d, void *to, size_t n, Unit pattern) {
  if (is_lost(d) || n == 0)
    return;
  fill_kernel<<<blocks_for(d, n), BLOCK>>>(static_cast<Unit *>(to), n, pattern);
  check(d, cudaGetLastError());
}

void wf_device_fill(WfDevice *d, void *to, size_t n_words, uint32_t pattern) { fill(d, to, n_words, pattern); }

void wf_device_fill_halves(WfDevice *d, void *to, size_t n_halves, uint16_t pattern) { fill(d, to, n_halves, pattern); }

/* ---- values ---- */

/* Most cases have few edits, and small parameters are launched faster. */
template <int Edits> static void launch_values(const WfDevice *d, const WfCase *c, int tensor, void *to) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  Values<Edits> v;
  v.fill = c->fill[tensor];
  v.tensor = uint32_t(tensor);
  v.type = c->dtype[tensor];
  v.is_rank2 = t->rank == 2;
  v.n = wf_case_elems(c, tensor);
  v.cols = wf_extent(t, t->rank - 1, c->dim);
  v.n_edits = 0;
  for (uint32_t k = 0; k < c->n_edits; k++)
    if (c->edits[k].tensor == tensor)
      v.edit[v.n_edits++] = Edit{{c->edits[k].sel[0], c->edits[k].sel[1]}, c->edits[k].value};
  values_kernel<<<blocks_for(d, uint64_t(v.n)), BLOCK>>>(v, to);
}

void wf_device_values(WfDevice *d, const WfCase *c, int tensor, void *to) {
  enum { FEW = 4 };
  if (is_lost(d) || wf_case_elems(c, tensor) <= 0)
    return;
  if (c->n_edits <= FEW)
    launch_values<FEW>(d, c, tensor, to);
  else
    launch_values<WF_MAX_EDITS>(d, c, tensor, to);
  check(d, cudaGetLastError());
}

/* The device writes to the host's memory itself: one launch, and no copy behind it. */
template <class Unit>
static void compare(WfDevice *d, const void *at, const void *was, Unit pattern, uint64_t n, WfDeviceDamage *out) {
  if (is_lost(d))
    return;
  char *to = d->host_on_device + (reinterpret_cast<char *>(out) - d->host);
  compare_kernel<<<blocks_for(d, n), BLOCK>>>(static_cast<const Unit *>(at), static_cast<const Unit *>(was), pattern, n, d->comparison,
                                              reinterpret_cast<WfDeviceDamage *>(to));
  check(d, cudaGetLastError());
}

void wf_device_compare(WfDevice *d, const void *at, const void *was, uint32_t pattern, uint64_t n_words, WfDeviceDamage *out) {
  compare(d, at, was, pattern, n_words, out);
}

void wf_device_compare_halves(WfDevice *d, const void *at, const void *was, uint16_t pattern, uint64_t n_halves, WfDeviceDamage *out) {
  compare(d, at, was, pattern, n_halves, out);
}

/* ---- launches ---- */

static int by_name(const void *key, const void *row) {
  const WfGpuTableRow *a = static_cast<const WfGpuTableRow *>(key), *b = static_cast<const WfGpuTableRow *>(row);
  int order = strcmp(a->op, b->op);
  return order != 0 ? order : strcmp(a->variant, b->variant);
}

WfEntry *wf_device_entry(const WfVariant *v, const WfOp *op, WfGpuFlavor flavor) {
  const WfGpuTableRow wanted = {op->name, v->name, {}};
  const void *row = bsearch(&wanted, wf_gpu_table, wf_gpu_table_rows, sizeof *wf_gpu_table, by_name);
  return row ? static_cast<const WfGpuTableRow *>(row)->entry[flavor] : nullptr;
}

/* An error of which the context knows nothing is that of a launch that did not take place. */
void wf_device_launch(WfDevice *d, WfEntry *entry, const WfLaunchArgs *args, WfDeviceError *out) {
  *out = d->error;
  if (is_lost(d))
    return;
  entry(args);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess)
    return;
  cudaError_t now = cudaStreamQuery(nullptr);
  cudaGetLastError();
  if (now == cudaSuccess || now == cudaErrorNotReady) {
    describe(out, WF_DEVICE_REFUSED, e);
    return;
  }
  check(d, now);
  *out = d->error;
}

/* ---- disturbances ---- */

static uint32_t draw_below(uint64_t *state, uint32_t n) {
  return uint32_t(wf_split_mix(state) % n);
}

/* Some multiprocessors are kept busy for 20 to 200 us, by small or large blocks, with shared memory or without. One such load at a time:
 * more would pile up behind each other. */
static void load(WfDevice *d, uint64_t *state, bool with_shared) {
  cudaError_t before = cudaStreamQuery(d->side);
  unsigned blocks = 1 + draw_below(state, uint32_t(d->info.multiprocessors)), threads = 32u << draw_below(state, 6);
  uint64_t ns = 20000 + draw_below(state, 180000);
  unsigned most = unsigned(d->most_shared_bytes) / 1024, shared = with_shared ? (1 + draw_below(state, most)) * 1024 : 0;
  if (before == cudaErrorNotReady) {
    cudaGetLastError();
    return;
  }
  check(d, before);
  if (is_lost(d))
    return;
  load_kernel<<<blocks, threads, shared, d->side>>>((long long)(ns * uint64_t(d->clock_khz) / 1000000));
  check(d, cudaGetLastError());
}

void wf_device_disturb(WfDevice *d, uint64_t seed) {
  enum { SOILED = 1, LOADED = 2, CROWDED = 4 };
  uint32_t kinds = 1 + draw_below(&seed, 7);
  if (!is_lost(d) && kinds & SOILED) { /* so large that each multiprocessor has one at a time, and two for each */
    soil_kernel<<<2 * d->info.multiprocessors, BLOCK, d->most_shared_bytes>>>(d->most_shared_bytes / 4);
    check(d, cudaGetLastError());
  }
  if (!is_lost(d) && kinds & (LOADED | CROWDED))
    load(d, &seed, kinds & CROWDED);
}

/* Streams that launchers made are waited for, too: what is left running there would write to memory that has become another's. */
void wf_device_sync(WfDevice *d, WfDeviceError *out) {
  if (!is_lost(d))
    check(d, cudaDeviceSynchronize());
  *out = d->error;
}
