/* sanitizer_run.h - runs a case under a tool of compute-sanitizer, with a time limit, and reads what it has to say. */
#ifndef WF_SANITIZER_RUN_H
#define WF_SANITIZER_RUN_H
#include "sanitizer_log.h"

#define WF_SANITIZER_TIMEOUT_NS (UINT64_C(300) * 1000000000u) /* ARBITRARY_: racecheck may be 1,000 times slower than the kernel */

/* Finds compute-sanitizer in PATH, then beside nvcc (its path; NULL: none is known). Writes its path to out: 1; 0: nowhere. */
int wf_sanitizer_find(const char *nvcc, char *out, size_t out_size);

/* A directory for logs, of this process alone. 0; -1 with a message. */
enum { WF_SANITIZER_DIR_MAX = 512 };
int wf_sanitizer_dir_make(char dir[WF_SANITIZER_DIR_MAX], char *err, size_t err_size);
void wf_sanitizer_dir_remove(const char *dir);

typedef struct WfToolJob {
  const char *sanitizer;  /* path of compute-sanitizer */
  const char *tool;       /* "memcheck" */
  const char *full_name;  /* "compute-sanitizer memcheck"; must outlive the result */
  const char *program;    /* path of warpfuzz, whose replay is watched */
  const char *case_path, *variant; /* "op/variant" */
  const char *flavor;     /* NULL: the default */
  uint64_t timeout_ns;
  const char *dir;        /* of wf_sanitizer_dir_make() */
} WfToolJob;

typedef enum WfToolEnd {
  WF_TOOL_RAN,
  WF_TOOL_TIMEOUT,    /* killed, with all processes of its group; what it had written until then was read */
  WF_TOOL_FAILED,     /* it could not be run, could not do its work, or its log not be read: why */
  WF_TOOL_INTERRUPTED /* by a signal to this process, which was taken: SIGINT, SIGTERM or SIGHUP */
} WfToolEnd;

typedef struct WfToolResult {
  WfToolEnd end;
  char brief[24];     /* why it failed, for a table: "no log", "status 99"; "" unless it did */
  char why[256];      /* the same as one line */
  WfSanitizerLog log; /* of all ends; to be freed */
} WfToolResult;

/* The status of the replay itself does not matter, but for those that say that nothing was run. 0; -1: no memory. Either way
 * out->log is to be freed. */
int wf_sanitizer_run(const WfToolJob *job, WfToolResult *out);

#endif
