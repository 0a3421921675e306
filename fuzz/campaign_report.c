/* campaign_report.c - what a campaign found and tried, as text. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_report.h"
#include "check_info.h"
#include "finding.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_finding(FILE *out, const WfCollector *c, const WfKept *k) {
  char name[WF_NAME_MAX];
  wf_target_name(&c->plan->targets[k->target], name);
  fprintf(out, "  %s%s: %s in %s%s\n", k->outside ? "outside the contract: " : "", wf_severity_name(k->severity),
          simt_class_name(k->cls), name, wf_plan_knows(c->plan, k->id) ? ", known before" : "");
  if (k->places[0]) fprintf(out, "      %s\n", k->places);
  fprintf(out, "      %s\n", k->path);
}

static void print_findings(FILE *out, const WfCollector *c) {
  if (wf_collect_count(c)) fputs("\nfindings, each with its smallest case\n", out);
  for (size_t i = 0; i < c->n_kept; i++)
    if (c->kept[i].severity != SIMT_MEANT) print_finding(out, c, &c->kept[i]);
  if (wf_collect_count(c) < c->n_kept) fputc('\n', out);
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    char name[WF_NAME_MAX];
    wf_target_name(&c->plan->targets[k->target], name);
    if (k->severity == SIMT_MEANT)
      fprintf(out, "meant: %s in %s: %s: %s\n", simt_class_name(k->cls), name, k->places, k->reason);
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

/* Of one variant, between what its cases have been. */
static void print_envelope(FILE *out, const WfPlan *p, const WfRow *rows) {
  if (p->n_targets != 1) return;
  fputs("\ntried: ", out);
  wf_envelope_print(out, &rows[0].envelope, p->targets[0].op);
  fputc('\n', out);
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
