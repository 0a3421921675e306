/* campaign_report.c - what a campaign found and tried, as text. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_report.h"
#include "check_info.h"
#include "finding.h"
#include "runs_log.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "error: race-shared in softmax/v, open" */
static void print_finding(FILE *out, const WfCollector *c, const WfKept *k) {
  char name[WF_NAME_MAX];
  const WfState state = wf_kept_state(k);
  wf_target_name(&c->plan->targets[k->target], name);
  fprintf(out, "  %s", k->outside ? "outside the contract: " : "");
  switch (state) {
  case WF_STATE_IS_NEW:
  case WF_STATE_IS_OPEN:
    fprintf(out, "%s: ", wf_severity_name(k->severity));
    break;
  case WF_STATE_IS_KNOWN:
  case WF_STATE_IS_GONE:
    fprintf(out, "%s: ", wf_state_name(state));
    break;
  case WF_STATE_IS_MISSED:
    fputs("not seen again: ", out);
    break;
  case WF_STATES:
    break;
  }
  fprintf(out, "%s in %s%s\n", simt_class_name(k->cls), name, state == WF_STATE_IS_OPEN ? ", open" : "");
  if (k->listed) fprintf(out, "      %s (%s)\n", k->listed->reason, k->listed->at);
  if (k->places[0]) fprintf(out, "      %s\n", k->places);
  if (k->path) fprintf(out, "      %s\n", k->path);
}

static int is_told(const WfKept *k) { return k->severity != SIMT_MEANT && !k->is_elsewhere; }

/* Of those within the contracts. */
static void count_states(const WfCollector *c, size_t n[WF_STATES]) {
  memset(n, 0, WF_STATES * sizeof *n);
  for (size_t i = 0; i < c->n_kept; i++)
    if (is_told(&c->kept[i]) && !c->kept[i].outside) n[wf_kept_state(&c->kept[i])]++;
}

/* "3 new, 2 open, 1 known, 4 gone" */
static void print_states(FILE *out, const WfCollector *c) {
  size_t n[WF_STATES];
  count_states(c, n);
  fprintf(out, "findings: %zu new, %zu open, %zu known, %zu gone", n[WF_STATE_IS_NEW], n[WF_STATE_IS_OPEN], n[WF_STATE_IS_KNOWN], n[WF_STATE_IS_GONE]);
  if (n[WF_STATE_IS_MISSED]) fprintf(out, ", %zu not seen again", n[WF_STATE_IS_MISSED]);
  fputc('\n', out);
}

static void print_meant(FILE *out, const WfCollector *c, const WfKept *k) {
  char name[WF_NAME_MAX];
  wf_target_name(&c->plan->targets[k->target], name);
  fprintf(out, "meant: %s in %s: %s: %s\n", simt_class_name(k->cls), name, k->places, k->reason);
}

static void print_findings(FILE *out, const WfCollector *c) {
  size_t n = 0, n_meant = 0;
  for (size_t i = 0; i < c->n_kept; i++) {
    if (!is_told(&c->kept[i])) continue;
    if (n++ == 0) fputs("\nfindings, each with its smallest case\n", out);
    print_finding(out, c, &c->kept[i]);
  }
  if (n) print_states(out, c);
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    if (k->severity != SIMT_MEANT || !k->is_found) continue;
    if (n_meant++ == 0) fputc('\n', out);
    print_meant(out, c, k);
  }
}

static void print_outside(FILE *out, const WfRow *rows, size_t n) {
  uint64_t outside = 0;
  for (size_t i = 0; i < n; i++) outside += rows[i].outside;
  fprintf(out, "%" PRIu64 " of them outside the contracts: what they found does not count\n", outside);
}

/* With --expected, the last line says what the status means. */
static void print_expected(FILE *out, const WfRow *rows, size_t n, int strict) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += !wf_row_as_expected(&rows[i], strict);
  if (!bad) fputs("as expected: every faulty variant was caught in its class, no clean one has an error\n", out);
  else fprintf(out, "not as expected: %zu of %zu variants, see MISSED and FINDING above\n", bad, n);
}

/* Ranges of --dims whose ends were not come to: there was no time for them, or they take too much. */
static void print_cut(FILE *out, const WfLimits *l, const WfEnvelope *e, const WfOp *op) {
  for (int i = 0; i < op->n_dims; i++) {
    int64_t least = wf_spec_snap(&l->dim[i], l->dim[i].min), most = wf_spec_snap(&l->dim[i], l->dim[i].max);
    if (!(l->given >> i & 1) || (e->n[i] > 0 && e->least[i] <= least && e->most[i] >= most)) continue;
    fprintf(out, "  --dims asks for %s %" PRId64 "..%" PRId64 ": not all of it was tried\n", op->dims[i].name, least, most);
  }
}

/* Of one variant, between what its cases have been. */
static void print_envelope(FILE *out, const WfPlan *p, const WfRow *rows) {
  if (p->n_targets != 1) return;
  fputs("\ntried: ", out);
  wf_envelope_print(out, &rows[0].envelope, p->targets[0].op);
  fputc('\n', out);
  if (p->limits) print_cut(out, &p->limits[0], &rows[0].envelope, p->targets[0].op);
}

/* Counts of a run's earlier part end where runs.jsonl was written for the last time before a kill; its findings are all there. Of a class that the counts do
 * not have, they say the least that there was. */
void wf_campaign_join_earlier(const WfCollector *c, WfRow *rows) {
  for (size_t i = 0; c->run && c->run->before && i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    WfRow *row = &rows[k->target];
    if (k->was_there || !k->is_found || k->is_elsewhere) continue;
    uint64_t *counts = k->severity == SIMT_MEANT ? row->meant : k->outside ? row->outside_classes : k->listed ? row->listed :
                       k->severity == SIMT_ERROR ? row->errors : row->warnings;
    const uint64_t least = k->history.count ? k->history.count : 1;
    if (counts[k->cls]) continue;
    counts[k->cls] = least;
    if (row->executions < least) row->executions = least;
  }
}

int wf_campaign_print(FILE *out, const WfOptions *o, const WfCollector *c, const WfCampaignResult *r) {
  const WfPlan *p = c->plan;
  print_findings(out, c);
  fputc('\n', out);
  if (wf_report_rows(out, r->rows, p->n_targets) != 0) return -1;
  print_envelope(out, p, r->rows);
  fprintf(out, "\nseed %" PRIu64 ", %" PRIu64 " executions, output in %s\n", p->seed, r->executions, p->out);
  if (o->outside) print_outside(out, r->rows, p->n_targets);
  if (o->expected) print_expected(out, r->rows, p->n_targets, o->strict);
  return 0;
}

int wf_campaign_save(const WfOptions *o, const WfCollector *c, const WfCampaignResult *r) {
  char *text = NULL, err[WF_CASE_ERROR_MAX];
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return -1;
  fprintf(f, "%s\n\ncontract\n%s", wf_check_info->command, wf_check_info->contract);
  int rc = wf_campaign_print(f, o, c, r);
  if (fclose(f) != 0) rc = -1;
  if (rc == 0 && wf_file_write(c->plan->out, "check.txt", text, size, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    rc = -1;
  }
  free(text);
  return rc;
}

void wf_campaign_tell_end(WfCollector *c, const WfCampaignResult *r, int status) {
  size_t n[WF_STATES];
  char text[512];
  count_states(c, n);
  snprintf(text, sizeof text,
           "\"run\":\"%s\",\"status\":%d,\"seed\":\"%" PRIu64 "\",\"executions\":%" PRIu64 ",\"elapsed_s\":%.3f,\"interrupted\":%s,\"failures\":%u,"
           "\"findings\":{\"new\":%zu,\"open\":%zu,\"known\":%zu,\"gone\":%zu,\"missed\":%zu}}\n",
           c->plan->run, status, c->plan->seed, r->executions, (double)r->elapsed_ns / 1e9, r->interrupted ? "true" : "false", c->failures,
           n[WF_STATE_IS_NEW], n[WF_STATE_IS_OPEN], n[WF_STATE_IS_KNOWN], n[WF_STATE_IS_GONE], n[WF_STATE_IS_MISSED]);
  wf_collect_event(c, "end", text);
}

void wf_campaign_summary(const WfCollector *c, const WfCampaignResult *r, int status) {
  const WfPlan *p = c->plan;
  size_t n[WF_STATES];
  count_states(c, n);
  wf_say("SUMMARY: warpfuzz: %s: %s: %zu new, %zu open, %zu known, %zu gone, %zu not seen again; %" PRIu64 " execution%s of %zu variant%s%s, seed %" PRIu64 ", exit status %d",
         wf_check_info ? "check" : "fuzz", wf_exit_word(status), n[WF_STATE_IS_NEW], n[WF_STATE_IS_OPEN], n[WF_STATE_IS_KNOWN], n[WF_STATE_IS_GONE],
         n[WF_STATE_IS_MISSED], r->executions, r->executions == 1 ? "" : "s", p->n_targets, p->n_targets == 1 ? "" : "s", r->interrupted ? ", interrupted" : "",
         p->seed, status);
}
