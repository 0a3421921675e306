/* gpu_impl.h - what the parts of the GPU leg share: where a batch's tensors lie, the memory that both processes see, and the
 * line between them.
 *
 * A batch is one image, the same in host memory and on the device: copied there whole before its launches, and back whole into a
 * second image behind them. Objects (tensors, scratch memory) lie in it with guards between them, which hold a pattern:
 *
 *   | guard | input | guard | input | guard | output | guard | scratch | guard | output | guard | ...
 *           '-- of a group: jobs with the same case --'-- of its first job ---'-- of its second --'
 *
 * An object begins where the case says: at a multiple of 256 bytes plus its base offset. A guard reaches from the very end of an
 * object to the very start of the next one. What is changed in it belongs to the nearer of both. */
#ifndef WF_GPU_IMPL_H
#define WF_GPU_IMPL_H
#include "gpu.h"
#include <stdatomic.h>
#include <sys/types.h>

enum {
  WF_GPU_GUARD_BYTES = 8 << 10,       /* between objects, at least */
  WF_GPU_LONE_GUARD_BYTES = 1 << 20,  /* the same where a job is alone in its batch */
  WF_GPU_ALIGN_BYTES = 256,
  WF_GPU_SCRATCH = WF_MAX_TENSORS,    /* the object of a job that is no tensor */
  WF_GPU_JOB_OBJECTS = WF_MAX_TENSORS + 1,
  WF_GPU_MAX_OBJECTS = WF_GPU_MAX_JOBS * WF_GPU_JOB_OBJECTS,
  WF_GPU_NO_OBJECT = 0xffff
};

/* ---- gpu_layout.c ---- */
typedef struct WfGpuObject {
  uint64_t at_bytes, size_bytes; /* in the image */
  uint8_t tensor;                /* or WF_GPU_SCRATCH */
  uint8_t job;                   /* whose it is; of a group's: the first */
} WfGpuObject;

typedef struct WfGpuLayout {
  size_t n_jobs, n_objects;
  uint64_t bytes;                /* of the image */
  uint16_t object[WF_GPU_MAX_JOBS][WF_GPU_JOB_OBJECTS]; /* by job and tensor: index of the object, or WF_GPU_NO_OBJECT */
  WfGpuObject at[WF_GPU_MAX_OBJECTS];                   /* ascending */
} WfGpuLayout;

/* Room for the jobs, as many of them from the first on as limit_bytes hold; returns how many. */
size_t wf_gpu_layout(WfGpuLayout *out, const WfGpuJob *jobs, size_t n, uint64_t guard_bytes, uint64_t limit_bytes);
/* The guard in front of object i: *from to before *to. i = n_objects: the one behind all. */
/* The objects of one job in no image: how large they are, not where. 0; -1: too large to be addressed. */
int wf_gpu_layout_large(WfGpuLayout *out, const WfGpuJob *job);
void wf_gpu_guard(const WfGpuLayout *l, size_t i, uint64_t *from, uint64_t *to);

/* ---- memory that both processes see ---- */
typedef struct WfGpuChange { /* words of an object or beside it that are not as they were */
  uint64_t n_words;          /* 0: none */
  int64_t offset_bytes;      /* of the first, from the object's start */
  uint32_t now;              /* bits there */
} WfGpuChange;

/* One batch: the question, and what the child found. */
typedef struct WfGpuSlot {
  WfGpuLayout layout;
  WfGpuJob job[WF_GPU_MAX_JOBS]; /* with pointers to the cases below */
  WfCase c[WF_GPU_MAX_JOBS];
  int has_values;               /* 1: inputs lie in the image that is read back into, where it has them */
  size_t n_slices, slice_elems; /* of a large job, gpu_large.c; 0: none */
  int64_t slice[WF_GPU_MAX_SLICES];
  int no_room;                  /* the device has no memory left for it */
  int is_lost;                  /* the context is: the child ends */
  WfDeviceError error;          /* then */
  uint8_t has_entry[WF_GPU_MAX_JOBS]; /* 0: there is no such entry */
  WfDeviceError launch[WF_GPU_MAX_JOBS];
  uint64_t unwritten[WF_GPU_MAX_JOBS], first_unwritten[WF_GPU_MAX_JOBS];
  WfGpuChange guard[WF_GPU_MAX_OBJECTS], inside[WF_GPU_MAX_OBJECTS];
} WfGpuSlot;

#define WF_GPU_STOP UINT64_MAX
enum { WF_GPU_OPENING, WF_GPU_OPEN, WF_GPU_CLOSED, WF_GPU_ABSENT_DEVICE };

/* Batches are numbered from 0 on, over all children; number k has the slot k % WF_GPU_BATCHES. The device cannot reach this
 * memory, the images lie elsewhere. */
typedef struct WfGpuControl {
  _Atomic uint64_t requested; /* parent: batches sent so far; WF_GPU_STOP: end */
  _Atomic uint64_t answered;  /* child: those answered */
  _Atomic uint64_t begun;     /* child: 1 + the number of the last one that it gave to the device */
  _Atomic uint64_t watch;     /* child: goes up by one whenever it begins to wait for host code of a variant or for the device, and
                                 when that is over: odd in between */
  _Atomic uint64_t opened;    /* child: WF_GPU_OPENING and so on */
  _Atomic uint32_t parent_sleeps, child_sleeps;
  WfDeviceInfo info;
  char why[256];              /* if it could not be opened */
  WfGpuSlot slot[WF_GPU_BATCHES];
} WfGpuControl;

typedef struct WfGpuMemory {
  WfGpuControl *control;
  unsigned char *host;        /* the images, two a slot */
  size_t image_bytes;         /* room for one */
  int device, plain;
} WfGpuMemory;

static inline unsigned char *wf_gpu_image_up(const WfGpuMemory *m, uint64_t number) {
  return m->host + number % WF_GPU_BATCHES * 2 * m->image_bytes;
}
static inline unsigned char *wf_gpu_image_down(const WfGpuMemory *m, uint64_t number) {
  return wf_gpu_image_up(m, number) + m->image_bytes;
}

/* ---- gpu_image.c: an image in host memory ---- */
void wf_gpu_build(const WfGpuSlot *s, unsigned char *up, const unsigned char *values); /* values: WfGpuSlot.has_values */
/* Fills in the slot's unwritten, guard and inside. */
void wf_gpu_examine(WfGpuSlot *s, const unsigned char *up, const unsigned char *down);

void *wf_gpu_map(size_t bytes); /* zeros, shared with children to come; NULL: no memory */

/* ---- gpu_process.c ---- */
typedef struct WfGpuLine { /* one end of the line between parent and child */
  int fd;                  /* a byte comes when there is something new and this end sleeps; the end of it when the other is gone */
  _Atomic uint32_t *sleeps, *other_sleeps;
} WfGpuLine;

/* Waits until *counter is not `was`, limit_ns at most, 0: for ever. 1; 0: it still is; -1: the other end is gone, and it is. Goes
 * on spinning for some time before it sleeps. */
int wf_gpu_await(const WfGpuLine *l, const _Atomic uint64_t *counter, uint64_t was, uint64_t limit_ns);
void wf_gpu_wake(const WfGpuLine *l); /* after a counter was changed */

typedef struct WfGpuPeer { /* a child, as its parent has it */
  pid_t pid;               /* 0: none */
  WfGpuLine line;
} WfGpuPeer;

/* Starts a process that runs child(arg, fd) and ends, and that does not outlive the thread that started it. fd is its end of the
 * line; out->line.sleeps and other_sleeps are the caller's to set. It holds no other descriptor of this process, unless keep_open, and no
 * signal of a terminal ends it. 0; -1: no process. */
int wf_gpu_spawn(WfGpuPeer *out, void (*child)(void *arg, int fd), void *arg, int keep_open);

/* Waits until *counter is not `was`. 1; -1: the child is gone, or closed its end; 0: limit_ns have passed in which *watch had one and the
 * same odd value (NULL: limit_ns have passed). Time in which this process did not run, say because it was stopped, was none for the
 * child either: no round of waiting counts as more than twice its length. Nor does time count in which the child is stopped. */
int wf_gpu_await_child(const WfGpuPeer *p, const _Atomic uint64_t *counter, uint64_t was, const _Atomic uint64_t *watch,
                       uint64_t limit_ns);

/* Its wait status, after it had so long to end by itself. 0 if there is none. */
int wf_gpu_end_child(WfGpuPeer *p, uint64_t grace_ns);

#define WF_GPU_SECOND_NS UINT64_C(1000000000)
#define WF_GPU_GRACE_NS (2 * WF_GPU_SECOND_NS)            /* for a process that closed its end, or was told to end */
#define WF_GPU_ARBITRARY_OPEN_NS (120 * WF_GPU_SECOND_NS) /* a context takes a second; a driver that hangs takes for ever */

/* ---- gpu_child.c: the process that owns the device ---- */
void wf_gpu_child(const WfGpuMemory *m, int fd); /* returns when it is told to, or when it has told of the end of the context */

#endif
