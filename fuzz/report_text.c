/* report_text.c - a report in brief, for a terminal. */
#include "class_text.h"
#include "report.h"
#include "source_line.h"
#include "textbuf.h"
#include <inttypes.h>

static void add_run(WfText *t, const WfReport *r) {
  const WfReportRun *run = wf_report_latest(r);
  wf_text_add_safe(t, r->dir);
  if (run) {
    wf_text_add(t, ": run ");
    wf_text_add_safe(t, run->id);
    if (run->elapsed_s > 0) wf_text_add(t, ", %.0f s", run->elapsed_s);
    wf_text_add(t, ", %" PRId64 " executions", run->executions);
    if (!run->ended) wf_text_add(t, ", not ended");
    if (run->interrupted) wf_text_add(t, ", interrupted");
  }
  wf_text_put(t, "\n", 1);
}

static void add_counts(WfText *t, const WfReport *r) {
  const char *lead = "";
  for (int s = 0; s < WF_STATE_COUNT; s++) {
    if (!r->by_state[s]) continue;
    wf_text_add(t, "%s%zu %s", lead, r->by_state[s], wf_report_state_name((WfReportState)s));
    lead = ", ";
  }
  wf_text_add(t, "%s", *lead ? "" : "no findings");
  if (r->n_outside) wf_text_add(t, ", %zu outside the contracts", r->n_outside);
  if (r->n_meant) wf_text_add(t, ", %zu meant", r->n_meant);
  if (r->n_failures) wf_text_add(t, ", %zu failure%s of the harness", r->n_failures, r->n_failures == 1 ? "" : "s");
  if (r->n_bad_lines) wf_text_add(t, ", %zu line%s that cannot be read", r->n_bad_lines, r->n_bad_lines == 1 ? "" : "s");
  wf_text_put(t, "\n", 1);
}

static void add_place(WfText *t, const WfReportSide *s, const char *lead) {
  if (!s->function) return;
  wf_text_add(t, "%s", lead);
  wf_text_add_safe(t, s->file ? s->file : "?");
  wf_text_add(t, ":%" PRId64 ":%" PRId64 " in ", s->line, s->column);
  wf_text_add_safe(t, s->function);
  if (!s->launch) return;
  wf_text_add(t, " (");
  wf_text_add_safe(t, s->launch);
  wf_text_add(t, ")");
}

static void add_finding(WfText *t, const WfReportFinding *f) {
  wf_text_add(t, "  %s: %s: ", f->severity == SIMT_MEANT ? "meant" : wf_report_state_name(f->state),
              f->severity == SIMT_ERROR ? "error" : f->severity == SIMT_WARNING ? "warning" : "race that is meant");
  wf_text_add_safe(t, f->class_name);
  wf_text_put(t, " in ", 4);
  wf_text_add_safe(t, f->op ? f->op : f->program);
  if (f->op && f->variant) {
    wf_text_put(t, "/", 1);
    wf_text_add_safe(t, f->variant);
  }
  if (f->outside) wf_text_add(t, ", outside the contract");
  add_place(t, &f->here, "\n      ");
  add_place(t, &f->other, f->here.function ? " and " : "\n      ");
  if (!f->here.function && !f->other.function) add_place(t, &f->writer, "\n      ");
  if (f->replay) {
    wf_text_add(t, "\n      ");
    wf_text_add_safe(t, f->replay);
  }
  wf_text_put(t, "\n", 1);
}

char *wf_report_text(const WfReport *r) {
  size_t by_verdict[WF_VERDICT_CAUGHT + 1] = {0};
  WfText t = {0};
  add_run(&t, r);
  for (size_t i = 0; i < r->n_variants; i++) by_verdict[r->variants[i].verdict]++;
  wf_text_add(&t, "%zu %s%s", r->n_variants, r->is_log ? "kernel" : "variant", r->n_variants == 1 ? "" : "s");
  for (int v = 0; v <= WF_VERDICT_CAUGHT; v++)
    if (by_verdict[v]) wf_text_add(&t, ", %zu %s", by_verdict[v], wf_report_verdict_name((WfReportVerdict)v));
  wf_text_put(&t, "\n", 1);
  add_counts(&t, r);
  for (size_t i = 0; i < r->n_findings; i++) add_finding(&t, &r->findings[i]);
  return wf_text_take(&t);
}
