/* gpu_child.h - what the parts of the process that owns a device share. */
#ifndef WF_GPU_CHILD_H
#define WF_GPU_CHILD_H
#include "gpu_impl.h"

typedef struct WfGpuChild {
  const WfGpuMemory *memory;
  WfGpuControl *control;
  WfGpuLine line;
  WfDevice *device;
  unsigned char *image;               /* on the device */
  void *own[WF_GPU_JOB_OBJECTS + 1];  /* plain and large: allocations, by object; the last one: gpu_large.c's */
} WfGpuChild;

/* gpu_child.c. Launches a slot's jobs in turn, until the context is lost. */
void wf_gpu_launch_all(const WfGpuChild *c, WfGpuSlot *s);

/* gpu_large.c. Makes the tensors, launches, and asks for what has changed; sets no_room. */
void wf_gpu_large_start(WfGpuChild *c, WfGpuSlot *s, uint64_t number);
void *wf_gpu_large_object(const WfGpuChild *c, const WfGpuSlot *s, size_t i); /* where object i begins */
/* After the sync: as wf_gpu_examine(). */
void wf_gpu_large_examine(const WfGpuChild *c, WfGpuSlot *s, uint64_t number);

#endif
