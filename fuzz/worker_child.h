/* worker_child.h - what the parts of a worker's process share: its state, and what it tells its parent. */
#ifndef WF_WORKER_CHILD_H
#define WF_WORKER_CHILD_H
#include "corpus_import.h"
#include "gpu_batch.h"
#include "turns.h"
#include "worker.h"

/* Shrinking goes on for so long past the end of the time limit: a finding is what the time was spent for. So does looking at what
 * was not right on a device, in company. */
#define ARBITRARY_SHRINK_GRACE_NS UINT64_C(5000000000)

typedef struct WfSeen { /* a finding that was reported, and its smallest case */
  uint64_t id;
  uint32_t target;
  SimtClass cls;
  SimtSeverity severity;
  int outside;
  int is_listed;      /* WfPlan.listed */
  uint64_t shrink_ns; /* that shrinking it has taken */
  uint64_t count;     /* executions that found it, not told yet */
  WfCase c;
} WfSeen;

typedef struct WfChild {
  const WfPlan *plan;
  WfShared *shared;
  WfFuzzer *fuzzer;
  WfGpu *gpu;
  WfGpuBatches *batches; /* on a device alone */
  WfSeen *seen;
  size_t n_seen;
  int fd;
  int stop; /* an error came and the plan says to stop there */
  uint64_t tell_ns; /* when to tell counts next */
  WfTurns turns;    /* of a balanced plan */
  WfImport import;
  uint64_t import_ns, memory_ns; /* when to look next */
  uint64_t start_ns, merge_end_ns;
  int is_full;      /* of memory: another generation goes on */
  uint64_t began_ns; /* the execution in progress, on the engine */
  uint64_t over_ns; /* when the device was told to come to an end; 0: not yet */
} WfChild;

/* worker_tell.c. Those that return int: 0; -1: the pipe or the memory failed. */
int wf_child_send(const WfChild *c, WfRecord *r);
int wf_child_send_failure(const WfChild *c, const WfStep *s, const char *message); /* of the harness, in the step's case */
int wf_child_send_corpus(WfChild *c, const WfStep *s);  /* its case has joined the corpus */
int wf_child_send_verdict(WfChild *c, const WfStep *s); /* its findings that are news, which are shrunk then and sent once more */
int wf_child_send_counts(WfChild *c, int now);          /* how often findings were found: some seconds after the last time, or now */
void wf_child_count(const WfChild *c, const WfStep *s); /* the execution, in shared memory */

#endif
