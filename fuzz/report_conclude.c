/* report_conclude.c - what follows from all that was read: cases, verdicts, what counts, and the order in which it is shown. */
#define _GNU_SOURCE
#include "report_impl.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_CASE_BYTES = 1 << 16 };

const char *wf_report_verdict_name(WfReportVerdict v) {
  switch (v) {
  case WF_VERDICT_NOT_RUN:
    return "not run";
  case WF_VERDICT_CLEAN:
    return "clean";
  case WF_VERDICT_KNOWN:
    return "known";
  case WF_VERDICT_WARNING:
    return "warning";
  case WF_VERDICT_ERROR:
    return "error";
  case WF_VERDICT_CAUGHT:
    return "caught";
  }
  return "?";
}

/* ---- cases ---- */

/* A regular file as text, cut at MAX_CASE_BYTES; NULL: it cannot be read. The report's. */
static char *read_text(WfReport *r, const char *path) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  char *text = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? wf_report_alloc(r, MAX_CASE_BYTES + 1, 1) : NULL;
  ssize_t n = text ? read(fd, text, MAX_CASE_BYTES) : -1;
  close(fd);
  if (n > 0) wf_report_plain(text, (size_t)n);
  return n > 0 ? text : NULL;
}

/* Where the line says; or the directory was moved since, and the file lies in it. */
static char *read_case(WfReport *r, const char *path) {
  char moved[PATH_MAX];
  char *text = read_text(r, path);
  const char *slash = strrchr(path, '/');
  if (text || r->is_log) return text;
  int n = snprintf(moved, sizeof moved, "%s/%s", r->dir, slash ? slash + 1 : path);
  return n < (int)sizeof moved ? read_text(r, moved) : NULL;
}

/* "KEY X Y Z" at the start of a line of a case. 1: it is there. */
static int triple_of(const char *text, const char *key, uint32_t out[3]) {
  size_t len = strlen(key);
  for (const char *at = text; at; at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, key, len) == 0 && sscanf(at + len, " %" SCNu32 " %" SCNu32 " %" SCNu32, &out[0], &out[1], &out[2]) == 3) return out[0] && out[1] && out[2];
  }
  return 0;
}

/* The word behind a key at the start of a line; NULL: none, or no memory. The report's. */
static const char *word_of(WfReport *r, const char *text, const char *key) {
  size_t len = strlen(key);
  for (const char *at = text; at; at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, key, len) != 0 || at[len] != ' ') continue;
    size_t n = strcspn(at + len + 1, " \t\r\n");
    char *word = wf_report_alloc(r, n + 1, 1);
    if (word) memcpy(word, at + len + 1, n);
    return word;
  }
  return NULL;
}

/* A case at which the harness failed, kept as harness-*.case. */
static int take_failure(WfReport *r, const char *name) {
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s", r->dir, name);
  const char *text = n < (int)sizeof path ? read_text(r, path) : NULL;
  const char *op = text ? word_of(r, text, "op") : NULL, *variant = text ? word_of(r, text, "variant") : NULL;
  r->n_failures++;
  if (!op || !variant) return 0;
  WfReportVariant *v = wf_report_variant(r, op, variant);
  if (!v) return -2;
  v->n_failures++;
  return 0;
}

static int take_failures(WfReport *r) {
  if (r->is_log) return 0;
  DIR *d = opendir(r->dir);
  if (!d) return -1;
  int rc = 0;
  for (struct dirent *e; errno = 0, rc == 0 && (e = readdir(d));) {
    size_t len = strlen(e->d_name);
    if (strncmp(e->d_name, "harness-", 8) == 0 && len > 5 && strcmp(e->d_name + len - 5, ".case") == 0) rc = take_failure(r, e->d_name);
  }
  int why = errno;
  closedir(d);
  errno = why;
  return rc == 0 && why ? -1 : rc;
}

/* ---- findings ---- */

static int is_shown_again(const WfReportFinding *f) { return f->state != WF_STATE_KNOWN && f->state != WF_STATE_GONE && f->state != WF_STATE_MISSED; }

static void name_of(const WfReportFinding *f, const char **op, const char **variant) {
  *op = f->op ? f->op : f->program ? f->program : "?";
  *variant = f->op && f->variant ? f->variant : f->kernel ? f->kernel : "host code";
}

static int conclude_finding(WfReport *r, WfReportFinding *f, int strict) {
  const char *op, *name;
  name_of(f, &op, &name);
  WfReportVariant *v = wf_report_variant(r, op, name);
  if (!v) return -2;
  int is_finding = f->severity != SIMT_MEANT && !f->outside;
  f->case_text = f->case_path ? read_case(r, f->case_path) : NULL;
  if (!f->has_launch_block) f->has_launch_block = triple_of(f->case_text, "block ", f->launch_block);
  if (!f->has_grid) f->has_grid = triple_of(f->case_text, "grid ", f->grid);
  f->counts = is_finding && is_shown_again(f) && (strict || f->severity == SIMT_ERROR);
  v->by_state[f->state] += is_finding;
  r->by_state[f->state] += is_finding;
  v->n_counting += f->counts != 0;
  r->n_counting += f->counts != 0;
  r->n_errors += is_finding && f->severity == SIMT_ERROR;
  r->n_warnings += is_finding && f->severity == SIMT_WARNING;
  r->n_outside += f->outside && f->severity != SIMT_MEANT;
  r->n_meant += f->severity == SIMT_MEANT;
  return 0;
}

/* ---- variants ---- */

static const WfVariant *in_tables(const WfReportVariant *v) {
  const WfOp *op = wf_op_find(v->op, strlen(v->op));
  return op ? wf_variant_find(op, v->variant, strlen(v->variant)) : NULL;
}

/* Classes of its findings that came in the latest run, as sets. */
static void classes_of(const WfReport *r, const WfReportVariant *v, uint32_t *errors, uint32_t *warnings) {
  *errors = *warnings = 0;
  for (size_t i = 0; i < r->n_findings; i++) {
    const WfReportFinding *f = &r->findings[i];
    const char *op, *name;
    name_of(f, &op, &name);
    if (f->outside || !is_shown_again(f) || strcmp(op, v->op) != 0 || strcmp(name, v->variant) != 0) continue;
    uint32_t bit = f->cls < SIMT_CLASS_COUNT ? 1u << f->cls : 1u << 31;
    if (f->severity == SIMT_ERROR) *errors |= bit;
    if (f->severity == SIMT_WARNING) *warnings |= bit;
  }
}

static void conclude_variant(const WfReport *r, WfReportVariant *v) {
  const WfVariant *known = in_tables(v);
  uint32_t errors, warnings;
  classes_of(r, v, &errors, &warnings);
  if (known && known->expect) v->fault = known->fault;
  if (v->fault && wf_variant_caught(known, errors, warnings)) v->verdict = WF_VERDICT_CAUGHT;
  else if (errors || v->n_failures) v->verdict = WF_VERDICT_ERROR;
  else if (warnings) v->verdict = WF_VERDICT_WARNING;
  else if (v->by_state[WF_STATE_KNOWN]) v->verdict = WF_VERDICT_KNOWN;
  else if (r->n_runs && (!v->has_counts || v->executions == 0)) v->verdict = WF_VERDICT_NOT_RUN;
  else v->verdict = WF_VERDICT_CLEAN;
}

/* Behind the verdicts. */
static void note_expected(WfReport *r) {
  for (size_t i = 0; i < r->n_findings; i++) {
    const char *op, *name;
    name_of(&r->findings[i], &op, &name);
    for (size_t k = 0; k < r->n_variants; k++)
      if (r->variants[k].verdict == WF_VERDICT_CAUGHT && strcmp(r->variants[k].op, op) == 0 && strcmp(r->variants[k].variant, name) == 0)
        r->findings[i].is_expected = 1;
    r->n_expected += r->findings[i].is_expected && r->findings[i].counts;
  }
}

/* ---- orders ---- */

static int state_rank(WfReportState s) {
  static const int rank[WF_STATE_COUNT] = {[WF_STATE_NEW] = 0, [WF_STATE_FOUND] = 1, [WF_STATE_OPEN] = 1, [WF_STATE_MISSED] = 2, [WF_STATE_KNOWN] = 3, [WF_STATE_GONE] = 4};
  return rank[s];
}

/* Races that are meant last, before them what is outside the contracts. */
static int kind_rank(const WfReportFinding *f) { return f->severity == SIMT_MEANT ? 2 : f->outside ? 1 : 0; }

static int by_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int by_weight(const void *a, const void *b) {
  const WfReportFinding *p = a, *q = b;
  const char *op[2], *name[2];
  int d = kind_rank(p) - kind_rank(q);
  if (!d) d = (q->counts && !q->is_expected) - (p->counts && !p->is_expected);
  if (!d) d = state_rank(p->state) - state_rank(q->state);
  if (!d) d = (int)q->severity - (int)p->severity;
  name_of(p, &op[0], &name[0]);
  name_of(q, &op[1], &name[1]);
  if (!d) d = strcmp(op[0], op[1]);
  if (!d) d = strcmp(name[0], name[1]);
  if (!d) d = (int)p->cls - (int)q->cls;
  return d ? d : by_text(p->id, q->id);
}

static int by_name(const void *a, const void *b) {
  const WfReportVariant *p = a, *q = b;
  int d = strcmp(p->op, q->op);
  return d ? d : strcmp(p->variant, q->variant);
}

static int by_file(const void *a, const void *b) { return strcmp(((const WfReportCover *)a)->file, ((const WfReportCover *)b)->file); }

static int by_start(const void *a, const void *b) {
  const WfReportRun *p = a, *q = b;
  int d = by_text(p->started, q->started);
  return d ? d : p->order < q->order ? -1 : p->order > q->order;
}

static int by_time(const void *a, const void *b) {
  double x = ((const WfReportPoint *)a)->t_s, y = ((const WfReportPoint *)b)->t_s;
  return x < y ? -1 : x > y;
}

int wf_report_conclude(WfReport *r, int strict) {
  if (r->n_runs) qsort(r->runs, r->n_runs, sizeof *r->runs, by_start);
  if (wf_report_take_latest_counts(r) != 0) return -2;
  int rc = take_failures(r);
  if (rc != 0) return rc;
  for (size_t i = 0; i < r->n_findings; i++)
    if (conclude_finding(r, &r->findings[i], strict) != 0) return -2;
  for (size_t i = 0; i < r->n_variants; i++) conclude_variant(r, &r->variants[i]);
  note_expected(r);
  if (r->n_findings) qsort(r->findings, r->n_findings, sizeof *r->findings, by_weight);
  if (r->n_variants) qsort(r->variants, r->n_variants, sizeof *r->variants, by_name);
  if (r->n_covers) qsort(r->covers, r->n_covers, sizeof *r->covers, by_file);
  if (r->n_points) qsort(r->points, r->n_points, sizeof *r->points, by_time);
  return 0;
}
