/* campaign.c - the parent's loop over its workers' pipes, a signalfd and the clock. */
#define _POSIX_C_SOURCE 200809L
#include "campaign.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

enum {
  ARBITRARY_MAX_FAILURES = 20, /* of the harness, before the campaign gives up */
  ARBITRARY_GRACE_S = 60,      /* for the case in progress, once workers were told to stop */
  LIVE_PERIOD_MS = 200,        /* on a terminal */
  LOG_PERIOD_MS = 10000        /* elsewhere */
};

typedef struct Watched { /* of one worker */
  WfWatch watch;
  char excess[WF_EXCESS_MAX]; /* what it was stopped for; "": it was not */
} Watched;

typedef struct Campaign {
  WfCollector *collector;
  const WfPlan *plan;
  WfWorker *workers;
  Watched *watched; /* by worker */
  uint64_t watch_ns; /* when to look next */
  int signals; /* signalfd */
  int stopping, interrupted, broken;
  uint64_t start_ns, kill_ns, live_ns; /* kill_ns: the end of the grace, UINT64_MAX: none; live_ns: next live line */
} Campaign;

/* how: WF_STOP_*. */
static void stop(Campaign *m, int how) {
  if (m->stopping >= how) return;
  m->stopping = how;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].shared) m->workers[i].shared->stop = how;
}

/* Workers that do not end by then are stuck. */
static void stop_in_time(Campaign *m, int how) {
  stop(m, how);
  if (m->kill_ns == UINT64_MAX) m->kill_ns = wf_clock_ns() + ARBITRARY_GRACE_S * SECOND_NS;
}

static void give_up(Campaign *m, const char *why) {
  char line[WF_CASE_ERROR_MAX + 64];
  snprintf(line, sizeof line, "warpfuzz: giving up: %s", why);
  if (!m->broken) wf_collect_notice(m->collector, line);
  m->broken = 1;
  stop_in_time(m, WF_STOP_NOW);
}

/* ---- ends of workers ---- */

static void report_death(Campaign *m, const WfWorker *w, int status) {
  char message[64 + WF_EXCESS_MAX], *excess = m->watched[w->index].excess;
  WfShared *s = w->shared;
  if (*excess)
    snprintf(message, sizeof message, "worker %u was stopped: it %s", w->index, excess);
  else if (WIFSIGNALED(status))
    snprintf(message, sizeof message, "worker %u died: %s", w->index, strsignal(WTERMSIG(status)));
  else
    snprintf(message, sizeof message, "worker %u ended with status %d", w->index, WEXITSTATUS(status));
  *excess = '\0';
  if (s->busy != WF_IDLE) {
    s->counts[s->current_target].executions += s->busy == WF_FUZZING; /* the one that killed it */
    s->no_shrinking |= s->busy == WF_SHRINKING;                       /* it would come there again */
    wf_collect_failure(m->collector, &m->plan->targets[s->current_target], &s->current, message);
    s->busy = WF_IDLE;
    return;
  }
  m->collector->failures++;
  wf_collect_notice(m->collector, message);
}

static void worker_ended(Campaign *m, WfWorker *w) {
  int status = 0;
  close(w->fd);
  w->fd = -1;
  while (waitpid(w->pid, &status, 0) < 0) continue;
  w->pid = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (m->interrupted > 1) return; /* killed on request */
  report_death(m, w, status);
  if (m->collector->failures >= ARBITRARY_MAX_FAILURES) give_up(m, "too many failures");
  if (!m->stopping && wf_worker_start(w, m->plan) != 0) give_up(m, "cannot start a process");
}

static void kill_workers(Campaign *m) {
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].pid) kill(m->workers[i].pid, SIGKILL);
  m->kill_ns = UINT64_MAX;
}

/* ---- events ---- */

static void take_record(Campaign *m, WfWorker *w) {
  WfRecord r;
  char err[WF_CASE_ERROR_MAX];
  int rc = wf_worker_read(w, &r);
  if (rc < 0) {
    give_up(m, "out of memory");
    kill_workers(m); /* the rest of the record cannot be told from the next */
    rc = 0;
  }
  if (rc == 0) {
    worker_ended(m, w);
    return;
  }
  if (wf_collect(m->collector, &r, err, sizeof err) != 0) give_up(m, err);
  if (m->collector->failures >= ARBITRARY_MAX_FAILURES) give_up(m, "too many failures");
  int counts = r.kind == WF_RECORD_FINDING && !r.outside && (m->plan->strict || r.severity == SIMT_ERROR);
  counts = counts && !wf_plan_knows(m->plan, r.id);
  if (counts && m->plan->stop_on_first) stop(m, WF_STOP_SOON);
  free(r.json);
  free(r.text);
}

static void take_signal(Campaign *m) {
  struct signalfd_siginfo info;
  if (read(m->signals, &info, sizeof info) != (ssize_t)sizeof info) return;
  stop_in_time(m, WF_STOP_NOW);
  if (++m->interrupted == 1)
    wf_collect_notice(m->collector, "warpfuzz: interrupted, finishing the current cases");
  else
    kill_workers(m);
}

static uint64_t executions(const Campaign *m) {
  uint64_t n = 0;
  for (unsigned i = 0; i < m->plan->jobs; i++) n += wf_worker_executions(&m->workers[i], m->plan->n_targets);
  return n;
}

/* Elapsed time, executions, rate, findings; corpus and features of the worker that has most. */
static void live_line(Campaign *m, uint64_t now) {
  WfCollector *c = m->collector;
  uint64_t corpus = 0, features = 0, n = executions(m);
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    const WfShared *s = m->workers[i].shared;
    if (s->corpus > corpus) corpus = s->corpus;
    if (s->features > features) features = s->features;
  }
  double elapsed = (double)(now - m->start_ns) / (double)SECOND_NS;
  fprintf(c->log, "%s%.0fs  %llu executions  %.0f/s  %zu findings  corpus %llu  coverage %llu%s", c->live ? "\r" : "",
          elapsed, (unsigned long long)n, elapsed > 0 ? (double)n / elapsed : 0.0, wf_collect_count(c),
          (unsigned long long)corpus, (unsigned long long)features, c->live ? "\033[K" : "\n");
  fflush(c->log);
}

/* Stops workers whose case takes too much; their end is reported when it has come. */
static void watch_workers(Campaign *m, uint64_t now) {
  if (now < m->watch_ns) return;
  m->watch_ns = now + (uint64_t)WF_WATCH_PERIOD_MS * 1000000u;
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    const WfWorker *w = &m->workers[i];
    Watched *v = &m->watched[i];
    if (!w->pid || *v->excess) continue;
    uint64_t run = (uint64_t)w->generation << 48 ^ (wf_worker_executions(w, m->plan->n_targets) + w->shared->shrink_executions);
    if (wf_watch_look(&v->watch, w->pid, run, &m->plan->allowed, v->excess)) kill(w->pid, SIGKILL);
  }
}

static void tick(Campaign *m) {
  uint64_t now = wf_clock_ns();
  watch_workers(m, now);
  if (m->plan->deadline_ns && now >= m->plan->deadline_ns) stop_in_time(m, WF_STOP_SOON);
  if (now >= m->kill_ns) kill_workers(m);
  if (now < m->live_ns) return;
  uint64_t period_ns = (uint64_t)(m->collector->live ? LIVE_PERIOD_MS : LOG_PERIOD_MS) * 1000000u;
  if (m->live_ns || m->collector->live) live_line(m, now);
  m->live_ns = now + period_ns;
}

/* One round of waiting. 0: no worker is left. */
static int wait_for_events(Campaign *m, struct pollfd *polled, WfWorker **by_poll) {
  nfds_t n = 0;
  polled[n++] = (struct pollfd){.fd = m->signals, .events = POLLIN};
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    if (m->workers[i].fd < 0) continue;
    by_poll[n] = &m->workers[i];
    polled[n++] = (struct pollfd){.fd = m->workers[i].fd, .events = POLLIN};
  }
  if (n == 1) return 0;
  if (poll(polled, n, WF_WATCH_PERIOD_MS) > 0) {
    if (polled[0].revents) take_signal(m);
    for (nfds_t i = 1; i < n; i++)
      if (polled[i].revents) take_record(m, by_poll[i]);
  }
  tick(m);
  return 1;
}

/* ---- the whole ---- */

static int fill_result(const Campaign *m, WfCampaignResult *out) {
  const WfPlan *p = m->plan;
  out->executions = executions(m);
  out->elapsed_ns = wf_clock_ns() - m->start_ns;
  out->interrupted = m->interrupted != 0;
  out->broken = m->broken;
  for (unsigned i = 0; i < p->jobs; i++) {
    out->shrunk += m->workers[i].shared->shrunk;
    out->shrunk_in_part += m->workers[i].shared->shrunk_in_part;
    out->shrink_executions += m->workers[i].shared->shrink_executions;
  }
  out->rows = calloc(p->n_targets, sizeof *out->rows);
  if (!out->rows) return -1;
  for (size_t t = 0; t < p->n_targets; t++) {
    WfRow *row = &out->rows[t];
    row->target = p->targets[t];
    row->on_device = p->backend == WF_BACKEND_GPU;
    for (unsigned i = 0; i < p->jobs; i++) {
      const WfCounts *n = &m->workers[i].shared->counts[t];
      row->executions += n->executions;
      for (unsigned k = 0; k < WF_SITUATION_COUNT; k++) row->situations[k] += n->situations[k];
      for (unsigned k = 0; k < SIMT_CLASS_COUNT; k++) row->errors[k] += n->errors[k];
      for (unsigned k = 0; k < SIMT_CLASS_COUNT; k++) row->warnings[k] += n->warnings[k];
      for (unsigned k = 0; k < SIMT_CLASS_COUNT; k++) row->outside_classes[k] += n->outside_classes[k];
      for (unsigned k = 0; k < SIMT_CLASS_COUNT; k++) row->meant[k] += n->meant[k];
      row->outside += n->outside;
      row->no_verdict += n->no_verdict;
      wf_envelope_join(&row->envelope, &n->envelope);
    }
  }
  return 0;
}

static int start_workers(Campaign *m) {
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (wf_worker_init(&m->workers[i], i, m->plan->n_targets) != 0) return -1;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (wf_worker_start(&m->workers[i], m->plan) != 0) return -1;
  return 0;
}

static int run_workers(Campaign *m) {
  unsigned jobs = m->plan->jobs;
  struct pollfd *polled = calloc(jobs + 1, sizeof *polled);
  WfWorker **by_poll = calloc(jobs + 1, sizeof(WfWorker *));
  int rc = polled && by_poll ? start_workers(m) : -1;
  if (rc != 0) give_up(m, "no memory or no process for the workers");
  if (polled && by_poll)
    while (wait_for_events(m, polled, by_poll)) continue;
  free(polled);
  free(by_poll);
  return rc;
}

int wf_campaign_run(WfCollector *c, WfCampaignResult *out) {
  Campaign m = {.collector = c, .plan = c->plan, .start_ns = wf_clock_ns(), .kill_ns = UINT64_MAX};
  sigset_t mask, before;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  *out = (WfCampaignResult){0};
  m.workers = calloc(c->plan->jobs, sizeof *m.workers);
  m.watched = calloc(c->plan->jobs, sizeof *m.watched);
  if (!m.workers || !m.watched) {
    free(m.workers);
    free(m.watched);
    return -1;
  }
  for (unsigned i = 0; i < c->plan->jobs; i++) m.workers[i].fd = -1;
  sigprocmask(SIG_BLOCK, &mask, &before);
  m.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  int rc = run_workers(&m);
  if (c->live) fputs("\r\033[K", c->log);
  if (rc == 0) rc = fill_result(&m, out);
  for (unsigned i = 0; i < c->plan->jobs; i++) wf_worker_free(&m.workers[i]);
  free(m.workers);
  free(m.watched);
  if (m.signals >= 0) close(m.signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return rc;
}
