/* cover.h - which lines of the kernels a campaign has reached. Workers note in shared memory what is new to them; the parent joins that and writes
 * coverage.jsonl (doc/REPORT.md), which goes on over runs. */
#ifndef WF_COVER_H
#define WF_COVER_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct WfCover { /* of one worker */
  _Atomic uint16_t *owner; /* by compiled file: 1 + index of the target that ran it; 0: none did */
  _Atomic uint8_t *hits;   /* by counter: the most in one execution, up to 255 */
} WfCover;

/* Bytes that it takes in the memory that is shared, and the same as a struct. The memory starts as zero bytes, and is aligned to 2. */
size_t wf_cover_bytes(void);
WfCover wf_cover_at(void *memory);

/* Notes what the counters of the engine say about the execution of a target that is just over. Only worth while if it was somewhere new. */
void wf_cover_take(const WfCover *c, size_t target);

struct WfPlan;
struct WfWorker;

typedef struct WfCoverLog { /* starts as zero bytes */
  void *before;     /* lines of earlier runs, a JSON array */
  uint64_t next_ns; /* when to write again */
} WfCoverLog;

/* Writes coverage.jsonl into the plan's directory if a minute has passed since the last time, or `now` is UINT64_MAX; reads what earlier runs left the
 * first time. 0; -1 with a message. */
int wf_cover_log(WfCoverLog *log, const struct WfPlan *p, const struct WfWorker *workers, uint64_t now, char *err, size_t err_size);
void wf_cover_log_free(WfCoverLog *log);

#endif
