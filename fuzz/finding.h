/* finding.h - a finding and its writers. A finding is a plain struct; writers add no logic. */
#ifndef WF_FINDING_H
#define WF_FINDING_H
#include "../simt/simt.h"
#include "case.h"
#include <stdio.h>

#define WF_NOT_KNOWN UINT32_MAX /* thread[0], block[0] or epoch of a SimtWhere about which a tool says nothing */
#define WF_NO_OFFSET INT64_MIN  /* likewise SimtFinding.offset_bytes */

typedef struct WfFinding {
  SimtFinding simt;         /* class, severity, sites, detail, rule; the oracle's classes have no sites */
  const WfOp *op;
  const WfVariant *variant;
  uint64_t key;             /* wf_case_key of the case */
  char outside[160];        /* why the contract does not admit the case; "": it does */
  int has_scalars;          /* 1: the case's are known */
  double scalar[WF_MAX_SCALARS]; /* in the op's order */
  double rtol, atol;        /* that the user added to the bounds */
  const char *device;       /* seen on this device: "NVIDIA H200, compute capability 9.0, CUDA 13.0"; NULL: on the engine */
  const char *build;        /* with device: flavor in which nvcc compiled the kernel, "default" */
  const char *tool;         /* the tool that saw it: "compute-sanitizer memcheck"; NULL: the engine, or the oracle. A tool knows no columns
                               (0), and of the rest what WF_NOT_KNOWN and WF_NO_OFFSET leave */
  const char *program;      /* how the reader runs warpfuzz, for the command that reproduces it; NULL: "warpfuzz" */
  const char *whole;        /* a whole program's name (warpfuzz cc): there are no op, variant and case, and the finding is told as soon as it is
                               seen; NULL: a case */
  const char *command;      /* with whole: what runs it again in this schedule */
  int has_value;            /* 1: the fields below are set (oracle's classes) */
  int64_t index;            /* first bad element of the output, row-major */
  double expected;          /* reference */
  double bound;             /* absolute error allowed there */
  float got;
  double ulp;               /* |got - expected| in ULP of float at expected; NaN for class mismatches */
  SimtWhere writer;         /* who wrote it last, where that is known: site NULL, if not */
  int64_t n_bad, n_elems;   /* bad elements, elements of the output */
  char map[8][65];          /* picture of what is wrong: '.' right, '#' wrong, cells may stand for many elements */
} WfFinding;

/* Same finding: class, variant and unordered pair of sites (by file, line, column and call path) are equal, and both are
 * inside the contract or both outside, and on the engine or on a device. */
int wf_finding_same(const WfFinding *a, const WfFinding *b);
/* 1: it was seen by comparing the outputs of two inputs (WfOp.relations). */
int wf_finding_by_relation(const WfFinding *f);
/* 64-bit id of what wf_finding_same compares; stable across builds and runs of the same source. */
uint64_t wf_finding_id(const WfFinding *f);

/* One JSON object on one line (RFC 8259, UTF-8; NaN and infinities as strings). `case_path` may be NULL. Returns a
 * malloc'ed string ending in newline, NULL: no memory. Keys: id, severity, class, op, variant, flavor, program (a whole one), tool, kernel, file, line,
 * column, function, call_path[], access, thread[3], block[3], epoch, launch_kernel, launch_number, launch_file, launch_line, launch_column,
 * launch_function (SimtWhere.launch), the same of the other side as other_file to other_launch_function, object, element, offset_bytes,
 * size_bytes, writer_file to writer_launch_function (likewise), index, expected, got, bound, ulp, n_bad, n_elems, map[], count, rule, message, reason (of a race that is meant), outside (why the contract
 * does not admit the case), backend (simt or gpu), device and build (of gpu), launch_grid[3], launch_block[3] and
 * launch_shared_bytes (as launched, whatever the case says), scalars {NAME: VALUE}, rtol, atol (where the user gave them), case_key, case, replay and emit (commands). All keys are always there, null where
 * there is no value; a call path holds {function, file, line, column}, innermost call first. */
char *wf_finding_json(const WfFinding *f, const char *case_path);

/* Full text in the fixed order of the house style: variant, class and severity, case key, source sites (with the source
 * line itself when the file can be read, and the call path), first bad index, reference and result in decimal and %a, ULP,
 * count, map, rule, the command that reproduces it; one SUMMARY line last. Deterministic. malloc'ed; NULL: no memory. */
char *wf_finding_text(const WfFinding *f, const char *case_path);

/* The command that shows the finding again, and the one that makes a stand-alone program of it: words for a shell, of a case's finding. malloc'ed;
 * NULL: no memory. */
char *wf_finding_replay(const WfFinding *f, const char *case_path);
char *wf_finding_emit(const WfFinding *f, const char *case_path);

const char *wf_severity_name(SimtSeverity s); /* "error" */

/* "meant: race-shared in softmax/v: PLACES: REASON", a line without its end about a race that is meant (SIMT_MEANT).
 * malloc'ed; NULL: no memory. */
char *wf_finding_meant(const WfFinding *f);

/* "k.cu:3:5 in f and k.cu:9:7 in g": the sites of the finding, "" when it has none. malloc'ed; NULL: no memory. */
char *wf_finding_places(const WfFinding *f);

/* Writes `data` whole to dir/name: temporary file, fsync, rename, fsync of dir. 0 or -1 with a message. */
int wf_file_write(const char *dir, const char *name, const void *data, size_t len, char *err, size_t err_size);
/* The same without the fsyncs: after a crash of the process the file is whole or as it was, after one of the system it may be torn. */
int wf_file_write_soon(const char *dir, const char *name, const void *data, size_t len, char *err, size_t err_size);
/* Appends one line to a file, whole, and fsyncs. 0 or -1 with a message. */
int wf_file_append(const char *path, const char *line, char *err, size_t err_size);
/* All of it to a descriptor, going on after interrupts. 0; -1 with errno. */
int wf_write_all(int fd, const void *data, size_t len);

#endif
