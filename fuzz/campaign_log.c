/* campaign_log.c - what a campaign writes down while it runs: runs.jsonl and findings.jsonl about every minute, progress.jsonl, and lines for
 * who watches. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_impl.h"
#include "runs_log.h"
#include "textbuf.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LIVE_PERIOD_MS = 200,  /* on a terminal */
  LOG_PERIOD_MS = 10000, /* elsewhere */
  SAVE_PERIOD_S = 60,
  PROGRESS_PERIOD_S = 10,     /* for so long: */
  PROGRESS_OFTEN_S = 600,
  PROGRESS_LATE_PERIOD_S = 60 /* and after that */
};

/* ---- counts ---- */

static uint64_t executions(const WfCampaign *m) {
  uint64_t n = 0;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].shared) n += wf_worker_executions(&m->workers[i], m->plan->n_targets);
  return n;
}

static void count_findings(const WfCollector *c, WfMoment *out) {
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    if (!k->is_found || k->listed || k->outside) continue;
    out->errors += k->severity == SIMT_ERROR;
    out->warnings += k->severity == SIMT_WARNING;
  }
}

/* Corpus and features are those of the worker that has most. */
void wf_campaign_moment(WfCampaign *m, uint64_t now, WfMoment *out) {
  *out = (WfMoment){.executions = executions(m)};
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    const WfShared *s = m->workers[i].shared;
    if (!s) continue;
    if (s->corpus > out->corpus) out->corpus = s->corpus;
    if (s->features > out->features) out->features = s->features;
  }
  if (out->features > m->features || !m->new_ns) {
    m->features = out->features;
    m->new_ns = now;
  }
  out->elapsed_s = (double)(now - m->start_ns) / (double)WF_SECOND_NS;
  out->since_new_s = (double)(now - m->new_ns) / (double)WF_SECOND_NS;
  out->rate = out->elapsed_s > 0 ? (double)out->executions / out->elapsed_s : 0;
  count_findings(m->collector, out);
}

static void add_counts(WfRow *row, const WfCounts *n) {
  row->executions += n->executions;
  row->seconds += (double)n->tried.elapsed_ns / 1e9;
  for (unsigned k = 0; k < WF_SITUATION_COUNT; k++) row->situations[k] += n->situations[k];
  for (unsigned k = 0; k < SIMT_CLASS_COUNT; k++) {
    row->errors[k] += n->errors[k];
    row->warnings[k] += n->warnings[k];
    row->outside_classes[k] += n->outside_classes[k];
    row->meant[k] += n->meant[k];
    row->listed[k] += n->listed[k];
  }
  row->outside += n->outside;
  row->no_verdict += n->no_verdict;
  wf_envelope_join(&row->envelope, &n->envelope);
}

/* By target, malloc'ed, with those of earlier parts of the run; NULL: no memory. */
static WfRow *rows_of(const WfCampaign *m) {
  const WfPlan *p = m->plan;
  const WfRunLog *run = m->collector->run;
  WfRow *rows = calloc(p->n_targets, sizeof *rows);
  for (size_t t = 0; rows && t < p->n_targets; t++) {
    rows[t].target = p->targets[t];
    rows[t].on_device = p->backend == WF_BACKEND_GPU;
    for (unsigned i = 0; i < p->jobs; i++)
      if (m->workers[i].shared) add_counts(&rows[t], &m->workers[i].shared->counts[t]);
    if (run && run->before) wf_row_join(&rows[t], &run->before[t]);
  }
  return rows;
}

static unsigned generations(const WfCampaign *m) {
  unsigned most = 0;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].generation > most) most = m->workers[i].generation;
  return most;
}

int wf_campaign_result(const WfCampaign *m, WfCampaignResult *out) {
  out->new_executions = executions(m);
  out->elapsed_ns = wf_clock_ns() - m->start_ns;
  out->interrupted = m->interrupted != 0;
  out->broken = m->broken;
  out->deaths = m->deaths;
  out->generations = generations(m);
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    out->shrunk += m->workers[i].shared->shrunk;
    out->shrunk_in_part += m->workers[i].shared->shrunk_in_part;
    out->shrink_executions += m->workers[i].shared->shrink_executions;
  }
  out->rows = rows_of(m);
  for (size_t t = 0; out->rows && t < m->plan->n_targets; t++) out->executions += out->rows[t].executions;
  return out->rows ? 0 : -1;
}

void wf_campaign_group(const WfCampaign *m, const WfWorker *w, char *out, size_t size) {
  if (w->is_replaying) snprintf(out, size, "replays");
  else if (m->balance.n_groups) wf_balance_describe(&m->balance, m->plan, w->index, out, size);
  else snprintf(out, size, "all");
}

/* ---- files ---- */

/* What cannot be written is told once; the campaign goes on, and ends with a failure of the harness. */
static void tell_trouble(WfCampaign *m, const char *why) {
  char line[WF_CASE_ERROR_MAX + 64];
  WfRunLog *run = m->collector->run;
  if (run->has_failed) return;
  run->has_failed = 1;
  snprintf(line, sizeof line, "warpfuzz: %s", why);
  wf_collect_notice(m->collector, line);
}

static void save(WfCampaign *m, uint64_t now) {
  char err[WF_CASE_ERROR_MAX] = "out of memory";
  WfRow *rows = rows_of(m);
  const WfRunState s = {.rows = rows, .elapsed_ns = now - m->start_ns, .deaths = m->deaths, .generations = generations(m)};
  int rc = rows ? wf_run_log_write(m->collector->run, m->plan, &s, err, sizeof err) : -1;
  if (rc == 0 && m->save_ns) rc = wf_collect_save(m->collector, err, sizeof err);
  if (rc != 0) tell_trouble(m, err);
  free(rows);
}

static uint64_t resident_kb(pid_t pid) {
  uint64_t bytes = 0;
  return wf_resident_bytes(pid, &bytes) == 0 ? bytes / 1024 : 0;
}

static void put_worker(WfText *t, const WfCampaign *m, const WfWorker *w, int first) {
  char group[WF_NAME_MAX + 16];
  wf_campaign_group(m, w, group, sizeof group);
  wf_text_add(t, "%s{\"index\":%u,\"pid\":%ld,\"generation\":%u,\"rss_kb\":%" PRIu64 ",\"group\":", first ? "" : ",", w->index, (long)w->pid,
              w->generation, resident_kb(w->pid));
  wf_text_add_json(t, group);
  wf_text_add(t, "}");
}

/* malloc'ed; NULL: no memory. */
static char *progress_line(WfCampaign *m, uint64_t now) {
  WfMoment at;
  WfText t = {0};
  const WfRunLog *run = m->collector->run;
  wf_campaign_moment(m, now, &at);
  double before_s = (double)run->elapsed_ns / (double)WF_SECOND_NS;
  uint64_t before = 0;
  for (size_t i = 0; run->before && i < m->plan->n_targets; i++) before += run->before[i].executions;
  wf_text_add(&t, "{\"run\":");
  wf_text_add_json(&t, run->id);
  wf_text_add(&t, ",\"t_s\":%.3f,\"executions\":%" PRIu64 ",\"rate\":%.1f,\"features\":%" PRIu64 ",\"corpus\":%" PRIu64, before_s + at.elapsed_s,
              before + at.executions, at.rate, at.features, at.corpus);
  wf_text_add(&t, ",\"findings\":{\"error\":%zu,\"warning\":%zu},\"rss_kb\":%" PRIu64 ",\"workers\":[", at.errors, at.warnings, resident_kb(getpid()));
  for (unsigned i = 0, n = 0; i < m->plan->jobs; i++)
    if (m->workers[i].pid) put_worker(&t, m, &m->workers[i], n++ == 0);
  wf_text_add(&t, "],\"since_new_s\":%.3f}\n", at.since_new_s);
  return wf_text_take(&t);
}

static void note_progress(WfCampaign *m, uint64_t now) {
  char path[4096], err[WF_CASE_ERROR_MAX] = "out of memory";
  if (m->collector->run->has_failed) return;
  char *line = progress_line(m, now);
  snprintf(path, sizeof path, "%s/progress.jsonl", m->plan->out);
  if (!line || wf_file_append(path, line, err, sizeof err) != 0) tell_trouble(m, err);
  free(line);
}

/* {"event":"progress",...}: the same for machines. */
static void tell_progress(WfCampaign *m, uint64_t now) {
  char *line = progress_line(m, now);
  if (line) wf_collect_event(m->collector, "progress", line + 1);
  free(line);
}

/* ---- when ---- */

static void show(WfCampaign *m, uint64_t now) {
  WfCollector *c = m->collector;
  if (c->with_json && c->run && now >= m->event_ns) {
    tell_progress(m, now);
    m->event_ns = now + (uint64_t)LOG_PERIOD_MS * 1000000u;
  }
  if (now < m->live_ns) return;
  if (m->live_ns || c->is_live) wf_campaign_show(m, now);
  m->live_ns = now + (uint64_t)(c->is_live ? LIVE_PERIOD_MS : LOG_PERIOD_MS) * 1000000u;
}

void wf_campaign_log(WfCampaign *m, uint64_t now) {
  show(m, now);
  if (!m->collector->run) return;
  if (now >= m->progress_ns) {
    int often = now - m->start_ns < PROGRESS_OFTEN_S * WF_SECOND_NS;
    if (m->progress_ns) note_progress(m, now);
    m->progress_ns = now + (often ? PROGRESS_PERIOD_S : PROGRESS_LATE_PERIOD_S) * WF_SECOND_NS;
  }
  if (now < m->save_ns) return;
  save(m, now);
  m->save_ns = now + SAVE_PERIOD_S * WF_SECOND_NS;
}

void wf_campaign_log_end(WfCampaign *m) {
  wf_live_clear(&m->collector->live, m->collector->log);
  fflush(m->collector->log);
  if (m->collector->run) note_progress(m, wf_clock_ns());
}
