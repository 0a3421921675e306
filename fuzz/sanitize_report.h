/* sanitize_report.h - what the engine and the tools saw, side by side: a table, the places of rows where both saw something, what
 * the tools said besides, and JSON lines. */
#ifndef WF_SANITIZE_REPORT_H
#define WF_SANITIZE_REPORT_H
#include "run.h"
#include "sanitizer_run.h"
#include "select.h"
#include "textbuf.h"

enum { WF_MAX_TOOLS = 4 };

typedef struct WfToolName {
  const char *name, *full; /* "memcheck", "compute-sanitizer memcheck" */
} WfToolName;

/* The tools of "memcheck,racecheck" in that order. How many; -1: an unknown one, one twice, or none, with a message. */
int wf_tools_parse(const char *list, WfToolName out[WF_MAX_TOOLS], char *err, size_t err_size);

typedef struct WfSanitizeRow { /* one case, one variant */
  const char *path;
  const WfCase *c;
  WfTarget target;
  const char *flavor;        /* NULL: the default */
  const WfVerdict *engine;
  const WfToolName *tool;
  const WfToolResult *result; /* one a tool; the findings' op, variant and key are set */
  int n_tools;
} WfSanitizeRow;

typedef struct WfSanitizeReport { /* starts as zero bytes */
  char **cells; /* malloc'ed texts, without heads */
  size_t n_cells;
  char **places;
  size_t n_places;
  WfText notes, json;
  int failed;   /* out of memory */
} WfSanitizeReport;

void wf_sanitize_add(WfSanitizeReport *r, const WfSanitizeRow *row);
/* The tables, on out. 0; -1: out of memory, now or before. */
int wf_sanitize_print(const WfSanitizeReport *r, const WfToolName *tool, int n_tools, FILE *out);
/* All lines of JSON: the findings of the engine and of the tools (wf_finding_json), and one object a run of a tool: run (the tool),
 * status (ran, timeout, failed, interrupted), why, case, op, variant, gpu_flavor, told_errors, told_warnings, other_errors,
 * not_printed (messages that the tool left out), dropped (messages of further findings), lines[] (that were not understood, or are
 * not about the kernel), n_lines. malloc'ed; NULL: out of memory, now or before. */
char *wf_sanitize_json(WfSanitizeReport *r);
void wf_sanitize_free(WfSanitizeReport *r);

#endif
