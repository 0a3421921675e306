/* cmd_report.c - warpfuzz report: what a campaign has left, as files for people and for machines. */
#include "cli.h"
#include "out_file.h"
#include "report.h"
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

typedef struct Output {
  const char *option, *path; /* path NULL: not asked for */
} Output;

enum { HTML, JUNIT, SARIF, N_OUTPUTS };

static char *make(int kind, const WfReport *r) {
  switch (kind) {
  case JUNIT:
    return wf_report_junit(r);
  case SARIF:
    return wf_report_sarif(r, PACKAGE_VERSION);
  default:
    return wf_report_html(r, PACKAGE_VERSION);
  }
}

/* Before any work is done. */
static int check(const Output *out) {
  for (int i = 0; i < N_OUTPUTS; i++) {
    int reason = out[i].path ? wf_out_file_check(out[i].path) : 0;
    if (reason == 0) continue;
    wf_say("warpfuzz: %s: %s: cannot write: %s", out[i].option, out[i].path, strerror(reason));
    return WF_EXIT_USAGE;
  }
  return WF_EXIT_CLEAN;
}

static int write_one(const Output *out, int kind, const WfReport *r) {
  char err[4096 + 256], *text = make(kind, r);
  if (!text) return wf_out_of_memory();
  int rc = wf_out_file_write(out->path, text, err, sizeof err);
  free(text);
  if (rc == 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s: %s", out->option, err);
  return WF_EXIT_HARNESS;
}

static int write_all(const Output *out, const WfReport *r) {
  int status = WF_EXIT_CLEAN, n = 0;
  for (int i = 0; i < N_OUTPUTS; i++) {
    if (!out[i].path) continue;
    status = wf_exit_worse(status, write_one(&out[i], i, r));
    n++;
  }
  if (n) return status;
  char *text = wf_report_text(r);
  if (!text) return wf_out_of_memory();
  fputs(text, stdout);
  free(text);
  return WF_EXIT_CLEAN;
}

int wf_cmd_report(const WfOptions *o) {
  const Output out[N_OUTPUTS] = {[HTML] = {"--html", o->html}, [JUNIT] = {"--junit", o->junit}, [SARIF] = {"--sarif", o->sarif}};
  const WfReportOptions opt = {.sources = o->sources, .strict = o->strict};
  WfReport r;
  char err[4096 + 256];
  int status = check(out);
  if (status != WF_EXIT_CLEAN) return status;
  int rc = wf_report_read(&r, o->operands, (size_t)o->n_operands, &opt, err, sizeof err);
  if (rc == -2) return wf_out_of_memory();
  if (rc != 0) return wf_usage(err);
  if (r.n_bad_lines) wf_say("warpfuzz: %s: %zu line%s left out that cannot be read", r.dir, r.n_bad_lines, r.n_bad_lines == 1 ? "" : "s");
  status = write_all(out, &r);
  wf_report_free(&r);
  return status;
}
