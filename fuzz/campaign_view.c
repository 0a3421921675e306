/* campaign_view.c - what a campaign shows while it runs: lines that are drawn anew on a terminal, else a line now and then, or JSON. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_impl.h"
#include "runs_log.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN_FINDINGS = 8, MAX_SHOWN_WORKERS = 8 };

/* ---- findings by class and variant ---- */

typedef struct Sum {
  SimtSeverity severity;
  SimtClass cls;
  uint32_t target;
  size_t n;
  uint64_t executions;
} Sum;

/* Errors first, then what was found most often. */
static int worse_first(const void *a, const void *b) {
  const Sum *x = a, *y = b;
  if (x->severity != y->severity) return x->severity > y->severity ? -1 : 1;
  if (x->executions != y->executions) return x->executions > y->executions ? -1 : 1;
  return x->target != y->target ? (x->target < y->target ? -1 : 1) : (int)x->cls - (int)y->cls;
}

/* malloc'ed, *n of them; NULL: none, or no memory. */
static Sum *sum_up(const WfCollector *c, size_t *n) {
  Sum *sums = malloc((c->n_kept + 1) * sizeof *sums);
  *n = 0;
  for (size_t i = 0; sums && i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    size_t at = 0;
    if (!k->is_found || k->listed || k->outside || k->severity == SIMT_MEANT) continue;
    while (at < *n && (sums[at].cls != k->cls || sums[at].target != k->target || sums[at].severity != k->severity)) at++;
    if (at == *n) sums[(*n)++] = (Sum){.severity = k->severity, .cls = k->cls, .target = k->target};
    sums[at].n++;
    sums[at].executions += k->history.count;
  }
  if (sums) qsort(sums, *n, sizeof *sums, worse_first);
  return sums;
}

static void put_findings(FILE *f, const WfCollector *c, size_t most) {
  size_t n, shown = 0;
  Sum *sums = sum_up(c, &n);
  for (; sums && shown < n && shown < most; shown++) {
    char name[WF_NAME_MAX];
    wf_target_name(&c->plan->targets[sums[shown].target], name);
    fprintf(f, "  %-7s %-18s %s", wf_severity_name(sums[shown].severity), simt_class_name(sums[shown].cls), name);
    if (sums[shown].n > 1) fprintf(f, ", %zu places", sums[shown].n);
    if (sums[shown].executions) fprintf(f, ", %llu executions", (unsigned long long)sums[shown].executions);
    fputc('\n', f);
  }
  if (sums && shown < n) fprintf(f, "  and %zu more\n", n - shown);
  free(sums);
}

/* ---- the rest ---- */

/* "1:02:03" */
static void put_time(FILE *f, double seconds) {
  unsigned long long s = seconds > 0 ? (unsigned long long)seconds : 0;
  fprintf(f, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
}

static void put_head(FILE *f, const WfCampaign *m, const WfMoment *at, uint64_t now) {
  const uint64_t deadline_ns = m->plan->deadline_ns;
  put_time(f, at->elapsed_s);
  if (deadline_ns) {
    fputs(", ", f);
    put_time(f, deadline_ns > now ? (double)(deadline_ns - now) / (double)WF_SECOND_NS : 0);
    fputs(" left", f);
  }
  fprintf(f, "  %llu executions, %.0f/s\n", (unsigned long long)at->executions, at->rate);
  fprintf(f, "coverage %llu, new ", (unsigned long long)at->features);
  put_time(f, at->since_new_s);
  fprintf(f, " ago  corpus %llu\nfindings: %zu error%s, %zu warning%s\n", (unsigned long long)at->corpus, at->errors, at->errors == 1 ? "" : "s",
          at->warnings, at->warnings == 1 ? "" : "s");
}

static void put_workers(FILE *f, const WfCampaign *m) {
  for (unsigned i = 0; i < m->plan->jobs && i < MAX_SHOWN_WORKERS; i++) {
    const WfWorker *w = &m->workers[i];
    char group[WF_NAME_MAX + 16];
    uint64_t bytes = 0;
    if (!w->pid) continue;
    wf_campaign_group(m, w, group, sizeof group);
    if (wf_resident_bytes(w->pid, &bytes) != 0) bytes = 0;
    fprintf(f, "worker %u  %llu MiB  %s\n", i, (unsigned long long)(bytes >> 20), group);
  }
  if (m->plan->jobs > MAX_SHOWN_WORKERS) fprintf(f, "and %u more workers\n", m->plan->jobs - MAX_SHOWN_WORKERS);
}

/* Head and workers come first, findings as there is room. */
static void draw(WfCampaign *m, const WfMoment *at, uint64_t now) {
  WfCollector *c = m->collector;
  char *text = NULL;
  size_t size;
  int columns, rows;
  FILE *f = open_memstream(&text, &size);
  if (!f) return;
  wf_live_size(c->log, &columns, &rows);
  put_head(f, m, at, now);
  put_workers(f, m);
  int room = rows - 5 - (int)(m->plan->jobs < MAX_SHOWN_WORKERS ? m->plan->jobs : MAX_SHOWN_WORKERS + 1);
  if (room > 1) put_findings(f, c, room - 1 < MAX_SHOWN_FINDINGS ? (size_t)room - 1 : MAX_SHOWN_FINDINGS);
  if (fclose(f) == 0) wf_live_draw(&c->live, c->log, text);
  free(text);
}

static void print_line(const WfCampaign *m, const WfMoment *at) {
  fprintf(m->collector->log, "%.0fs  %llu executions  %.0f/s  %zu findings  corpus %llu  coverage %llu, new %.0fs ago\n", at->elapsed_s,
          (unsigned long long)at->executions, at->rate, wf_collect_count(m->collector), (unsigned long long)at->corpus,
          (unsigned long long)at->features, at->since_new_s);
  fflush(m->collector->log);
}

void wf_campaign_show(WfCampaign *m, uint64_t now) {
  WfMoment at;
  wf_campaign_moment(m, now, &at);
  if (m->collector->is_live) draw(m, &at, now);
  else print_line(m, &at);
}
