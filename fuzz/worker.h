/* worker.h - a fuzzing process. Kernels may take the process down with them, so the loop runs in a child: it reports
 * through a pipe, keeps its counts and the case it is running in shared memory, and writes no file. */
#ifndef WF_WORKER_H
#define WF_WORKER_H
#include "case_files.h"
#include "clock.h"
#include "cover.h"
#include "envelope.h"
#include "fuzzer.h"
#include "known_list.h"
#include "situations.h"
#include "tried.h"
#include "watch.h"
#include <stdatomic.h>
#include <sys/types.h>

/* What a replay saw of a finding: nothing that can be told, no trace of it, the finding, the same at other lines of the same functions, or what may
 * be that once others have been looked for. */
typedef enum WfReplayed { WF_REPLAYED_UNKNOWN, WF_REPLAYED_GONE, WF_REPLAYED_OPEN, WF_REPLAYED_MOVED, WF_REPLAYED_LATER } WfReplayed;

/* A finding of an earlier run, to be looked for in its case before anything else. */
typedef struct WfReplay {
  uint32_t target;
  SimtClass cls;
  int outside;
  uint64_t id, site_id; /* history.h */
  const WfCase *c;      /* NULL: there is none, and it is not replayed */
  const char *json;     /* its line */
  WfReplayed seen;      /* so far */
} WfReplay;

/* What all workers of one campaign are told. */
typedef struct WfPlan {
  const WfTarget *targets;
  size_t n_targets;
  const WfLimits *limits; /* by target; NULL: none */
  double rtol, atol;      /* WfRunOptions */
  WfCase *const *seeds; /* to start from; packed (case.h) */
  size_t n_seeds;
  uint64_t seed, runs; /* runs: executions of all workers together; 0: no limit */
  uint64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
  uint64_t shrink_ns;   /* that shrinking one finding may take in all, unless it is what the campaign stops for; 0: no limit */
  WfAllowance allowed; /* of one case */
  WfBackend backend;
  WfGpuFlavor flavor;
  uint64_t device_ns;  /* WfGpuOptions.timeout_ns */
  int n_devices;       /* over which the workers are spread; 0 with WF_BACKEND_SIMT */
  unsigned jobs;
  int strict, stop_on_first;
  int tells_warnings; /* in full, as errors; else in a line */
  const uint64_t *known; /* ids of findings of an earlier campaign: no news, and nothing to stop at */
  size_t n_known;
  const WfReplay *replays; /* all findings of earlier runs, for their ids */
  size_t n_replays, n_cases; /* how many, and how many of them have a case */
  const WfKnownList *listed; /* findings that do not count; NULL: none */
  int is_balanced;           /* workers run the variants with WfCounts.weight, by time, and take cases from each other */
  uint64_t memory_bytes;     /* a worker that has more ends between two cases, and is started anew; 0: no limit */
  unsigned first_generation; /* of workers: 0, unless earlier parts of the run had some; their streams of choices are not drawn again */
  const char *run; /* its id, for findings.jsonl; NULL: "" */
  const char *out; /* directory of the case files, for the paths in reports */
  const char *program; /* WfFinding.program */
} WfPlan;

int wf_plan_knows(const WfPlan *p, uint64_t id);
/* The id under which a finding is kept: that of the finding of an earlier run that is, or was, at its places; else wf_finding_id(), unless a
 * finding that has moved away from there has it: then one made of it. */
uint64_t wf_plan_id(const WfPlan *p, uint64_t site_id);

typedef struct WfCounts { /* of one variant */
  _Atomic uint32_t weight;   /* parent: of its share of the worker's time; 0: it is another worker's alone (WfPlan.is_balanced) */
  _Atomic uint64_t features; /* reached by this generation */
  _Atomic uint64_t executions;
  _Atomic uint64_t situations[WF_SITUATION_COUNT]; /* executions in each */
  _Atomic uint64_t errors[SIMT_CLASS_COUNT], warnings[SIMT_CLASS_COUNT]; /* executions that found the class */
  _Atomic uint64_t listed[SIMT_CLASS_COUNT];              /* executions in which all findings of the class are known (WfPlan.listed): in no other count */
  _Atomic uint64_t no_verdict;                            /* executions that ended without one */
  _Atomic uint64_t outside;                               /* executions outside the contract; errors and warnings there: */
  _Atomic uint64_t outside_classes[SIMT_CLASS_COUNT];
  _Atomic uint64_t meant[SIMT_CLASS_COUNT];               /* executions with races that the source says are meant */
  WfEnvelope envelope;
  WfTried tried;
} WfCounts;

enum { WF_STOP_SOON = 1, WF_STOP_NOW }; /* once the case in progress is run and its findings are shrunk; once it is run */
enum { WF_IDLE, WF_FUZZING, WF_SHRINKING, WF_REPLAYING };
enum { WF_WORKER_FULL = 3 }; /* exit status of one that has too much memory (WfPlan.memory_bytes) */

/* Shared between the parent and one worker. */
typedef struct WfShared {
  _Atomic int stop;             /* parent: 0, or end as WF_STOP_* says */
  _Atomic int busy;             /* worker: `current` is being run, to fuzz or to shrink */
  _Atomic int again;            /* parent: `current` was being fuzzed when the generation before was killed; the worker begins with it */
  _Atomic int no_shrinking;     /* parent: an earlier generation died of it */
  _Atomic uint64_t shrunk, shrunk_in_part, shrink_executions; /* findings, and the executions that took; these count in no other number */
  _Atomic uint64_t corpus, features;
  _Atomic uint32_t merge;       /* parent: 1 + a target; the corpus of its op is to be made small. Worker: 0 when that is over */
  _Atomic uint64_t replayed;    /* replays that were begun: all of them, then all once more, for those that were put off */
  uint32_t current_target;
  WfCase current;
  WfCounts counts[];            /* by target; behind them, what cover.h says of the kernels */
} WfShared;

typedef enum WfRecordKind { WF_RECORD_FINDING, WF_RECORD_MEANT, WF_RECORD_CORPUS, WF_RECORD_FAILURE, WF_RECORD_COUNT, WF_RECORD_REPLAYED,
  WF_RECORD_DROP, WF_RECORD_MERGED } WfRecordKind;

/* One message of a worker; its strings follow it in the pipe. Pointers in `c` are to constant tables, which a fork
 * leaves where they are. */
typedef struct WfRecord {
  WfRecordKind kind;
  uint32_t target;
  SimtClass cls;
  SimtSeverity severity;
  int outside;   /* finding: outside the contract */
  int is_listed; /* finding: WfPlan.listed */
  int is_pending; /* finding: it is being shrunk, and comes once more when that is done */
  uint64_t id;   /* wf_plan_id; replayed: that of the finding that was looked for */
  uint64_t site_id; /* wf_finding_id */
  uint64_t count;   /* count: executions that found it, since the last such record; merged: cases that the folder of the op has now */
  WfReplayed replayed;
  uint64_t key;  /* wf_case_key(&c); drop: of a case in the corpus of the target's op that adds nothing */
  WfCase c;      /* as it is to be saved */
  char places[320]; /* finding: wf_finding_places, cut */
  size_t json_len, text_len;
  char *json; /* finding: its JSON line; replayed, and not gone: as it is now */
  char *text; /* finding that is not pending: its full text when it is the first of its class and variant; meant: the reason;
                 failure: the message; else NULL */
} WfRecord;

typedef struct WfWorker {
  pid_t pid; /* 0: not running */
  int fd;    /* reading end */
  unsigned index, generation;
  int is_replaying; /* set before it is started: it runs wf_replay_child() */
  WfShared *shared;
  size_t shared_bytes;
} WfWorker;

/* Maps the shared memory. 0; -1: no memory. */
int wf_worker_init(WfWorker *w, unsigned index, size_t n_targets);
void wf_worker_free(WfWorker *w);

/* Which lines it has reached. */
WfCover wf_worker_cover(const WfWorker *w, size_t n_targets);

/* Starts the process; after a death, the next generation with another seed and an empty corpus. 0; -1: no process. */
int wf_worker_start(WfWorker *w, const WfPlan *plan);

/* What the process does, and its exit status (worker_child.c), with records to fd. runs: what is left to this worker of the plan's executions; where
 * the plan has no number, it means nothing. with_seeds: begin with the plan's cases. device: index of the one to use, of a plan that
 * uses one. 0; WF_WORKER_FULL; -1: the pipe, the memory or the device failed. */
int wf_worker_child(const WfPlan *p, WfShared *shared, int fd, uint64_t seed, uint64_t runs, int with_seeds, int device);

/* Likewise for a process that does nothing but the plan's replays, from number `first` on, and says what each saw (replay_child.c). Of those that
 * cannot be judged it says nothing. */
int wf_replay_child(const WfPlan *p, WfShared *shared, int fd, size_t first);

/* wf_finding_json() with the id under which the finding is kept; malloc'ed, NULL: no memory. */
char *wf_finding_line(const WfFinding *f, const char *path, uint64_t id);

/* Sends a record, its strings' lengths set. 0; -1: the pipe failed. */
int wf_record_send(int fd, WfRecord *r);

/* Reads one record, waiting for the rest of it when its beginning has come. 1; 0: the worker closed its end (the
 * process is ending); -1: no memory. The strings are the caller's to free. */
int wf_worker_read(WfWorker *w, WfRecord *out);

/* Executions so far, over all variants and generations. */
uint64_t wf_worker_executions(const WfWorker *w, size_t n_targets);

#endif
