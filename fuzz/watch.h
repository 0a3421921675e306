/* watch.h - memory and processor time that one case may take, and a process that looks after itself: a case that takes more, or
 * that ends the process, is named before it does harm. */
#ifndef WF_WATCH_H
#define WF_WATCH_H
#include <stdint.h>
#include <sys/types.h>

typedef struct WfAllowance { /* 0: no limit */
  uint64_t memory_bytes; /* resident, of the whole process */
  uint64_t cpu_ns;       /* of one run of a case */
} WfAllowance;

/* 4 GiB, or three quarters of the machine's memory if that is less; ten minutes. */
void wf_allowance_default(WfAllowance *a);

typedef struct WfWatch { /* of one process; starts as zero bytes */
  uint64_t mark, cpu_ns; /* the run that was last seen, and the processor time then */
} WfWatch;

enum { WF_EXCESS_MAX = 128, WF_WATCH_PERIOD_MS = 100 };

/* Looks at a process that is on its run number `mark`. 1: it has taken more than is allowed, text says what of, as the end of a
 * sentence; 0: it has not, or cannot be looked at. */
int wf_watch_look(WfWatch *w, pid_t pid, uint64_t mark, const WfAllowance *allowed, char text[WF_EXCESS_MAX]);

/* Bytes resident of a process. 0; -1: it cannot be looked at. */
int wf_resident_bytes(pid_t pid, uint64_t *out);

/* From now on this process ends with `status` and one line on stderr, which names what wf_watch_begin() was last told, when that takes
 * more than is allowed or dies of a fault. Once a process; for the thread that calls it. 0; -1: no thread. */
int wf_watch_self(const WfAllowance *allowed, int status);

/* A run begins: of the file `path` on `variant`, both of which outlive it. NULL, NULL: nothing is run. */
void wf_watch_begin(const char *path, const char *variant);

#endif
