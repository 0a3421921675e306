/* report.h - what a campaign (or the log of a whole program) left behind, read back for those who write reports. Writers add no logic: what they
 * show is decided here. */
#ifndef WF_REPORT_H
#define WF_REPORT_H
#include "../simt/simt.h"
#include "op.h"
#include <stddef.h>
#include <stdint.h>

typedef enum WfReportState { /* of a finding, over the runs; findings.jsonl has them by name */
  WF_STATE_FOUND,            /* nothing is said: an older directory, or a log */
  WF_STATE_NEW,              /* first seen in the latest run that fuzzed its variant */
  WF_STATE_OPEN,             /* seen before and again */
  WF_STATE_KNOWN,            /* on the list of known findings */
  WF_STATE_MISSED,           /* did not come again, and its case was not replayed */
  WF_STATE_GONE,             /* its case was replayed and is clean now */
  WF_STATE_COUNT
} WfReportState;

const char *wf_report_state_name(WfReportState s); /* "found", "new", "open", ... */

typedef struct WfReportFrame { /* a call */
  const char *function, *file; /* may be NULL */
  int64_t line, column;        /* 0: not known */
} WfReportFrame;

typedef struct WfReportSide { /* a site and who was there */
  const char *file, *function, *access; /* NULL: not known. No function: there is no such side */
  int64_t line, column;                 /* 0: not known */
  WfReportFrame *frames;                /* where the function was called, innermost first */
  size_t n_frames;
  int has_thread, has_block, has_epoch;
  uint32_t thread[3], block[3];
  int64_t epoch;
  const char *launch;                   /* "launch 2, kernel shift, from run at a.cu:15:4"; NULL: nothing is said of it */
  const char *launch_file, *launch_function; /* where in host code; NULL: not known */
  int64_t launch_number, launch_line, launch_column;
} WfReportSide;

enum { WF_REPORT_MAP_ROWS = 8 };

/* Strings are UTF-8, and NULL where nothing is said. */
typedef struct WfReportFinding {
  const char *id, *op, *variant, *flavor, *program, *tool, *kernel, *object, *element, *rule, *message, *reason, *outside, *backend, *device,
      *build, *case_key, *case_path, *replay, *emit, *first_seen, *last_seen, *first_run, *last_run;
  const char *class_name; /* as it is written, known to this build or not */
  SimtClass cls;          /* SIMT_CLASS_COUNT: not known */
  SimtSeverity severity;
  WfReportState state;
  WfReportSide here, other, writer;
  int has_value; /* index .. n_elems are known */
  int64_t index, n_bad, n_elems;
  double expected, got, bound, ulp;
  const char *map[WF_REPORT_MAP_ROWS];
  int has_access; /* offset and size are known */
  int64_t offset_bytes, size_bytes;
  int has_grid, has_launch_block;
  uint32_t grid[3], launch_block[3]; /* of the launch; of older files as far as the case says it */
  int64_t shared_bytes; /* dynamic shared memory of the launch; 0: none, or not known */
  const char *scalars;  /* "eps = 1e-05, causal = 1" */
  int64_t count;
  char *case_text; /* of the case file; NULL: it cannot be read */
  int is_between_operations; /* 1: a race of two operations that the host has issued, or of one and host code; not of threads of one launch */
  int is_expected; /* 1: its variant is faulty on purpose, and was caught */
  int counts;      /* 1: it is a reason for the exit status: an error (strict: or a warning) within the contract, not known and not gone */
} WfReportFinding;

typedef struct WfReportCount { /* of a class */
  const char *class_name;
  int64_t n;
} WfReportCount;

typedef enum WfReportVerdict { WF_VERDICT_NOT_RUN, WF_VERDICT_CLEAN, WF_VERDICT_KNOWN, WF_VERDICT_WARNING, WF_VERDICT_ERROR, WF_VERDICT_CAUGHT } WfReportVerdict;
const char *wf_report_verdict_name(WfReportVerdict v); /* "not run", "clean", "known": nothing but known findings, "warning", "error", "caught": a fault that is in the tree on purpose */

typedef struct WfReportMap {
  const char *x, *y; /* names of the axes */
  int64_t (*cells)[4]; /* bins of x and y (b: 2^b <= v < 2^(b+1); -1: 0), executions, failing ones */
  size_t n_cells;
} WfReportMap;

typedef struct WfReportUlp {
  int64_t size_bin;
  double worst_ulp, worst_share; /* of the bound */
  const char *case_key;
} WfReportUlp;

typedef struct WfReportVariant { /* or a kernel of a whole program */
  const char *op, *variant;  /* op: the program's name in a log */
  int has_counts;            /* the latest run says how often it was run */
  int64_t executions, outside, no_verdict;
  WfReportCount *errors, *warnings;
  size_t n_errors, n_warnings;
  size_t by_state[WF_STATE_COUNT]; /* findings */
  size_t n_counting;               /* findings that count; harness failures apart */
  size_t n_failures;               /* cases at which the harness failed */
  WfReportVerdict verdict;
  const char *fault;   /* of a variant that is faulty on purpose, a sentence; NULL: it is none that this build knows */
  double seconds;      /* that its executions took in the latest run; 0: not known */
  WfReportMap *maps;
  size_t n_maps;
  WfReportUlp *ulp;
  size_t n_ulp;
} WfReportVariant;

typedef struct WfReportTerm { /* of a contract: "block", "1..1024" */
  const char *name, *value;
} WfReportTerm;

typedef struct WfReportRun {
  const char *id, *started, *ended, *backend, *dtype, *build, *host; /* ended NULL: it was cut short, or goes on */
  uint64_t seed;
  int has_seed, has_status, resumed, interrupted;
  int64_t jobs, executions, status, deaths, time_limit_s;
  double elapsed_s;     /* that it took; 0: not known */
  size_t order;         /* of its first line in the file */
  const char **arguments;
  size_t n_arguments;
  const char *command;        /* of a user's kernel: what was typed; NULL: of others */
  WfReportTerm *contract;     /* what was assumed of that kernel */
  size_t n_contract;
} WfReportRun;

typedef struct WfReportWorker {
  int64_t index, generation;
  double rss_mb;
} WfReportWorker;

typedef struct WfReportPoint { /* of the latest run */
  double t_s, executions, rate, features, corpus, errors, warnings;
  WfReportWorker *workers;
  size_t n_workers;
} WfReportPoint;

typedef struct WfReportLine {
  int64_t line, hits;
} WfReportLine;

typedef struct WfReportCover { /* of one source file, over all variants made of it */
  const char *file;
  WfReportLine *lines; /* that hold code, ascending */
  size_t n_lines, n_hit;
} WfReportCover;

typedef struct WfReport {
  char *dir;  /* or the names of the logs, as text */
  int is_log; /* 1: logs of whole programs */
  WfReportFinding *findings; /* in the order in which they are to be read: what counts first, new ones first */
  size_t n_findings;
  WfReportVariant *variants;
  size_t n_variants;
  WfReportRun *runs; /* by time; the last one is the latest */
  size_t n_runs;
  WfReportPoint *points;
  size_t n_points;
  WfReportCover *covers;
  size_t n_covers;
  size_t by_state[WF_STATE_COUNT]; /* findings within the contract that are errors or warnings */
  size_t n_expected;  /* of n_counting, those in variants that are faulty on purpose */
  size_t n_counting, n_errors, n_warnings, n_outside, n_meant, n_failures;
  size_t n_finding_lines; /* that were read, of one finding several */
  size_t n_bad_lines; /* that are no JSON, or nothing of ours */
  char *sources[3];   /* folders below which sources are looked for; NULL at the end */
  struct WfReportStore *store; /* what the strings point into */
} WfReport;

typedef struct WfReportOptions {
  const char *sources; /* NULL: the current folder, and where this build's sources lie */
  int strict;          /* warnings count */
} WfReportOptions;

/* paths: one directory that `fuzz --out` or `check --out` has left; or n files of findings as JSON Lines, whose findings are put together. 0; -1 with a
 * one-line message: one cannot be read or holds nothing of ours; -2: no memory. Files that are not there, and lines that are broken, leave out what they
 * would have said. */
int wf_report_read(WfReport *out, const char *const *paths, size_t n, const WfReportOptions *opt, char *err, size_t err_size);
void wf_report_free(WfReport *r);

/* The latest run; NULL: none is recorded. */
const WfReportRun *wf_report_latest(const WfReport *r);

/* Where a source file lies on this machine: an absolute path, malloc'ed; NULL: it is not here, or no memory. */
char *wf_report_source_path(const WfReport *r, const char *file);

/* Lines of a source file, as they are now. */
typedef struct WfReportSource {
  char *text;        /* NUL for every end of a line; no control characters but tabs, valid UTF-8; NULL: the file cannot be read */
  const char **line; /* line[0] is the first */
  size_t n_lines;
} WfReportSource;
void wf_report_source_read(const WfReport *r, const char *file, WfReportSource *out);
void wf_report_source_free(WfReportSource *s);
/* Line number n, from 1; NULL: there is none. */
const char *wf_report_source_line(const WfReportSource *s, int64_t n);

/* Text of a fingerprint that stays when lines move: 16 hexadecimal digits, of class, variant, functions and the text of the lines. out: 17 bytes.
 * 0; -1: no source is here, or no memory. */
int wf_report_fingerprint(const WfReport *r, const WfReportFinding *f, char out[17]);

/* ---- writers. Each returns malloc'ed text; NULL: no memory ---- */
char *wf_report_text(const WfReport *r);  /* for a terminal */
char *wf_report_sarif(const WfReport *r, const char *version); /* SARIF 2.1.0 */
char *wf_report_junit(const WfReport *r); /* JUnit XML */
char *wf_report_html(const WfReport *r, const char *version);  /* one self-contained file */

#endif
