/* device.h - what the GPU leg needs of a device, in one small interface. One process has at most one device open, and uses it in
 * one thread. Three implementations, one of which is linked: device_cuda.cu; device_none.c, for builds without nvcc;
 * tests/fake_device.c, a device whose memory is the host's and whose kernels run on the engine, so that all that the GPU leg
 * decides is tested without one.
 *
 * A process that has touched the CUDA runtime can fork no other that uses it: the process that fuzzes never calls these
 * functions; those that do are its children (gpu.h). */
#ifndef WF_DEVICE_H
#define WF_DEVICE_H
#include "../fuzz/case.h"

/* How nvcc compiled a kernel. Variants whose own flavor is WF_FASTMATH are built with -use_fast_math in all of them. */
typedef enum WfGpuFlavor {
  WF_GPU_DEFAULT,  /* "default": as nvcc does by itself */
  WF_GPU_FASTMATH, /* "fastmath": -use_fast_math */
  WF_GPU_NOFMAD,   /* "nofmad": -fmad=false */
  WF_GPU_DEBUG,    /* "debug": -G */
  WF_GPU_FLAVOR_COUNT
} WfGpuFlavor;
const char *wf_gpu_flavor_name(WfGpuFlavor f);
int wf_gpu_flavor_parse(const char *name, size_t len, WfGpuFlavor *out); /* 0, or -1: no such flavor */

typedef struct WfDevice WfDevice;
typedef void WfEntry(const WfLaunchArgs *);

typedef struct WfDeviceInfo {
  char name[96];        /* "NVIDIA H200" */
  int index;            /* among those visible */
  int major, minor;     /* compute capability */
  int driver, runtime;  /* CUDA versions: 13000 is 13.0 */
  int multiprocessors;
  uint64_t memory_bytes;
} WfDeviceInfo;

typedef enum WfDeviceStatus {
  WF_DEVICE_OK,
  WF_DEVICE_REFUSED,    /* a launch did not take place; nothing else is wrong */
  /* From here on the context is lost: every further call fails, and the process has to end. */
  WF_DEVICE_ADDRESS,    /* illegal address */
  WF_DEVICE_MISALIGNED,
  WF_DEVICE_ASSERT,
  WF_DEVICE_TRAP,       /* the kernel ended by an exception of another kind: __trap, illegal instruction ... */
  WF_DEVICE_TIMEOUT,    /* the driver's watchdog */
  WF_DEVICE_LOST        /* no fault of the kernel that is known: no memory, device gone, or a code not listed here */
} WfDeviceStatus;

typedef struct WfDeviceError {
  WfDeviceStatus status;
  int code;      /* CUDA's number, 0: none */
  char name[64]; /* CUDA's name: "cudaErrorIllegalAddress"; "" */
} WfDeviceError;

/* Devices that are visible. 0: none, why in why (one sentence). Touches the runtime. */
int wf_device_count(char *why, size_t why_size);

typedef struct WfDeviceOptions {
  int index;
  void *host;        /* memory of host_bytes, shared with another process, made fit for copies that do not wait */
  size_t host_bytes;
} WfDeviceOptions;
/* 0; -1 with a one-line message. */
int wf_device_open(WfDevice **out, const WfDeviceOptions *opt, char *err, size_t err_size);
void wf_device_info(const WfDevice *d, WfDeviceInfo *out);

/* Device memory, 256-byte aligned; exactly that size, above 0, so that other tools see where it ends. NULL: none left (the context
 * is well all the same), or the context is lost. Freeing waits for what is under way. */
void *wf_device_alloc(WfDevice *d, size_t bytes);
void wf_device_free(WfDevice *d, void *p);

/* The entry of a variant in a flavor; NULL: not built (configure --with-gpu-flavors). Does not touch the runtime. */
WfEntry *wf_device_entry(const WfVariant *v, const WfOp *op, WfGpuFlavor flavor);

/* What follows is done in the order of the calls, in the stream that launch statements name; it may not have happened when a call
 * returns. What goes wrong is told by wf_device_sync(). Host memory lies within WfDeviceOptions.host. */
void wf_device_upload(WfDevice *d, void *to, const void *host, size_t bytes);
void wf_device_download(WfDevice *d, void *host, const void *from, size_t bytes);
void wf_device_copy(WfDevice *d, void *to, const void *from, size_t bytes);
void wf_device_fill(WfDevice *d, void *to, size_t n_words, uint32_t pattern);
void wf_device_fill_halves(WfDevice *d, void *to, size_t n_halves, uint16_t pattern); /* the same of 16 bits */
/* The values of a case's tensor, dense row-major, bit for bit as wf_case_values() has them, made on the device: elements of the tensor's
 * type. */
void wf_device_values(WfDevice *d, const WfCase *c, int tensor, void *to);

/* Which of n_words words differ from the pattern, or from those at `was` unless it is NULL? *out (host memory as above) says so
 * after the next sync. */
typedef struct WfDeviceDamage {
  uint64_t n_words; /* that differ; 0: none, the rest means nothing */
  uint64_t first;   /* index of the first */
  uint32_t now, was; /* its bits */
} WfDeviceDamage;
void wf_device_compare(WfDevice *d, const void *at, const void *was, uint32_t pattern, uint64_t n_words, WfDeviceDamage *out);
/* The same of units of 16 bits, which *out counts then. */
void wf_device_compare_halves(WfDevice *d, const void *at, const void *was, uint16_t pattern, uint64_t n_halves, WfDeviceDamage *out);

/* Runs the host code of a variant, which launches. *out is the launch error right after it: OK or REFUSED; or what an earlier
 * launch left. What kernels print goes to stdout, at a later call; failed assertions go to stderr. */
void wf_device_launch(WfDevice *d, WfEntry *entry, const WfLaunchArgs *args, WfDeviceError *out);

/* Makes the next launches meet other circumstances than the ones before, as the seed says: shared memory left full of NaN
 * patterns by others, some multiprocessors kept busy, shared memory taken away so that fewer blocks run at a time. It ends by
 * itself, in a fraction of a millisecond, which the next sync waits for. */
void wf_device_disturb(WfDevice *d, uint64_t seed);

/* Waits for everything, what launchers left in streams of their own too. */
void wf_device_sync(WfDevice *d, WfDeviceError *out);

#endif
