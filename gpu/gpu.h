/* gpu.h - runs variants on a device, from a process that no fault of a kernel can reach: a child owns the device (device.h). When
 * a kernel breaks the context, or does not end, the child is gone and another one is started for what comes next.
 *
 * A job is one launch of one variant on one case: its memory is made as the case says, with guards on all sides and poison in
 * the output, the variant is launched, and everything is read back. Many jobs go to the device at once (a batch), and two batches
 * may be on their way at a time, so that small cases do not each wait for a round trip. Jobs of a batch that follow each other
 * with the same case share its inputs; what is seen in company is no verdict before it was seen alone (wf_run_gpu does so). A job that
 * is bad in company and good alone has met with what another one of the batch did: then that one is found only if all are run alone.
 *
 * The child is a fork: what cases point to, and variants, must be where they are since before wf_gpu_create(), as constant tables are.
 * It ends with the thread that called wf_gpu_create(), and what it prints goes to stderr. */
#ifndef WF_GPU_H
#define WF_GPU_H
#include "device.h"

typedef struct WfGpu WfGpu;

typedef struct WfGpuOptions {
  int device;             /* index among those visible */
  uint64_t timeout_ns;    /* a batch hangs that takes longer from when the device begins with it, time in which this process or the
                             child is stopped left out; 0: 10 s. Host code of variants has the same time */
  size_t batch_bytes;     /* of memory that the jobs of one batch take together, guards and all; 0: 32 MiB. The guards of a job that is
                             alone come on top */
  int plain;              /* 1: every tensor in an allocation of its exact size, nothing but the kernel launched, no batches: for tools
                             that watch the program (compute-sanitizer), and that would see our own accesses otherwise. What has no
                             value before the launch is not written, and answers say nothing of guards, inputs and unwritten elements */
} WfGpuOptions;

enum { WF_GPU_MAX_JOBS = 64, WF_GPU_BATCHES = 2, WF_GPU_MAX_SLICES = 1 << 14 };

/* Starts a child with the device. 0; -1: no process, no memory, the device cannot be used; WF_GPU_NO_DEVICE: there is none,
 * or it was built without. The reason, one line, in err. */
#define WF_GPU_NO_DEVICE (-2)
int wf_gpu_create(WfGpu **out, const WfGpuOptions *opt, char *err, size_t err_size);
void wf_gpu_destroy(WfGpu *g); /* NULL: nothing */
const WfDeviceInfo *wf_gpu_info(const WfGpu *g);
/* Devices that are visible, asked in a child that ends. 0: none, and why. */
int wf_gpu_count(char *why, size_t why_size);

typedef struct WfGpuJob {
  const WfCase *c;
  const WfVariant *v;
  WfGeometry g;       /* of wf_case_admits() or wf_case_launch() */
  WfGpuFlavor flavor;
  uint32_t pattern;   /* of outputs and scratch memory before the launch, where the op says nothing else */
  uint64_t disturb;   /* wf_device_disturb(); 0: not */
  /* NULL; or the job goes alone, and these are its inputs, by the op's tensors, dense, in place of the case's. Not with slices. */
  const float *const *values;
  /* NULL; or the job goes alone, its tensors are made on the device, and of the output only these come back: indices of its first
   * axis, ascending, each once, at most WF_GPU_MAX_SLICES. For jobs that fit into no batch. */
  const int64_t *slice;
  size_t n_slices;
  int patient; /* 1: the job goes alone, and has five times the time before it hangs */
} WfGpuJob;

typedef struct WfGpuDamage { /* of memory that the kernel had no business in */
  uint64_t n_words;     /* 0: none */
  const char *object;   /* the tensor, or "scratch", that it lies at; static text */
  int64_t offset_bytes; /* from the object's start; below 0: in front of it */
  uint32_t now;         /* bits there */
} WfGpuDamage;

typedef enum WfGpuEnd {
  WF_GPU_RAN,
  WF_GPU_FAULT,   /* .error says which */
  WF_GPU_HUNG,    /* did not end in time, and was killed */
  WF_GPU_DIED,    /* the child ended: the variant's host code, or the driver, took it along. .error.code: the wait status */
  WF_GPU_NOT_BUILT, /* there is no such variant in that flavor: it was not launched */
  WF_GPU_NO_ROOM,   /* the device has no memory left for a job with slices: it was not launched */
  WF_GPU_UNKNOWN  /* of a batch that ended in one of the ways above, which were due to one job: run it alone */
} WfGpuEnd;

typedef struct WfGpuAnswer {
  WfGpuEnd end;
  WfDeviceError launch;  /* RAN: OK, or REFUSED: then nothing was launched, and what follows is not set */
  WfDeviceError error;
  const float *in[WF_MAX_TENSORS]; /* the inputs as they were before, dense; NULL: output, or a job with slices */
  const float *y;        /* the output, dense, or its slices one after the other; valid until its batch's place is used again */
  WfGpuDamage guard;     /* the first, in the order of tensors */
  WfGpuDamage input;     /* an input that is not what it was; not of one in whose memory the output lies */
  uint64_t unwritten, first_unwritten; /* elements of the whole output that still hold the pattern; 0 for outputs that begin with a
                                          value. The first is not known of a job with slices */
} WfGpuAnswer;

/* Does the job fit into a batch of its own? Larger ones want slices; those of one that has some have to fit. */
int wf_gpu_fits(const WfGpu *g, const WfGpuJob *job);

/* Sends 1 .. WF_GPU_MAX_JOBS jobs, as many of them from the first on as fit, and returns how many. At most WF_GPU_BATCHES may be on
 * their way. 0: the first one fits in no batch, or so many are. -1: the child could not be started again (err). What the jobs point to
 * must stay until the answers are there. */
int wf_gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n, char *err, size_t err_size);
/* Waits for the oldest batch and fills one answer a job. 0; -1 as above. */
int wf_gpu_wait(WfGpu *g, WfGpuAnswer *out, char *err, size_t err_size);

#endif
