/* campaign.c - the parent's loop over its workers' pipes, a signalfd and the clock. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_impl.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  ARBITRARY_MAX_FAILURES = 20, /* of the harness, before the campaign gives up */
  ARBITRARY_GRACE_S = 60       /* for the case in progress, once workers were told to stop */
};

/* how: WF_STOP_*. */
static void stop(WfCampaign *m, int how) {
  if (m->stopping >= how) return;
  m->stopping = how;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].shared) m->workers[i].shared->stop = how;
}

/* Workers that do not end by then are stuck. */
static void stop_in_time(WfCampaign *m, int how) {
  stop(m, how);
  if (m->kill_ns == UINT64_MAX) m->kill_ns = wf_clock_ns() + ARBITRARY_GRACE_S * WF_SECOND_NS;
}

static void give_up(WfCampaign *m, const char *why) {
  char line[WF_CASE_ERROR_MAX + 64];
  snprintf(line, sizeof line, "warpfuzz: giving up: %s", why);
  if (!m->broken) wf_collect_notice(m->collector, line);
  m->broken = 1;
  stop_in_time(m, WF_STOP_NOW);
}

/* ---- ends of workers ---- */

/* Counts what a worker has done, of any kind. */
static uint64_t progress(const WfCampaign *m, const WfWorker *w) {
  return wf_worker_executions(w, m->plan->n_targets) + w->shared->shrink_executions + w->shared->replayed;
}

static int start_worker(WfCampaign *m, WfWorker *w) {
  m->watched[w->index].began_at = progress(m, w);
  return wf_worker_start(w, m->plan);
}

/* SIGKILL that we did not send: somebody's, or the system's that ran out of memory. It says nothing of the case, which the next process begins with; but
 * where that comes no further, or a finding is shrunk once more, it is the case. 1: that is told. */
static int was_killed(WfCampaign *m, const WfWorker *w, int status) {
  char line[128];
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL || *m->watched[w->index].excess) return 0;
  if (progress(m, w) == m->watched[w->index].began_at) return 0;
  if (w->shared->busy == WF_SHRINKING && m->watched[w->index].killed_shrinking++ > 0) return 0; /* a finding waits to be told */
  w->shared->again = w->shared->busy == WF_FUZZING;
  w->shared->busy = WF_IDLE;
  snprintf(line, sizeof line, "warpfuzz: worker %u was killed from outside (SIGKILL), and is started anew", w->index);
  wf_collect_notice(m->collector, line);
  return 1;
}

static void report_death(WfCampaign *m, const WfWorker *w, int status) {
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

/* Once the replays are over. */
static void start_fuzzing(WfCampaign *m) {
  m->workers[0].is_replaying = 0;
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (start_worker(m, &m->workers[i]) != 0) give_up(m, "cannot start a process");
}

static void worker_ended(WfCampaign *m, WfWorker *w) {
  int status = 0;
  close(w->fd);
  w->fd = -1;
  while (waitpid(w->pid, &status, 0) < 0) continue;
  w->pid = 0;
  int is_full = WIFEXITED(status) && WEXITSTATUS(status) == WF_WORKER_FULL;
  int is_clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  w->shared->merge = 0;
  if (is_clean && w->is_replaying && !m->stopping) start_fuzzing(m);
  if (is_clean || m->interrupted > 1) return; /* killed on request */
  if (is_full && m->restarts++ == 0)
    wf_collect_notice(m->collector, "warpfuzz: a worker had more memory than --memory allows, and was started anew");
  if (!is_full) m->deaths++;
  if (!is_full && !was_killed(m, w, status)) report_death(m, w, status);
  if (m->collector->failures >= ARBITRARY_MAX_FAILURES) give_up(m, "too many failures");
  if (!m->stopping && start_worker(m, w) != 0) give_up(m, "cannot start a process");
}

static void kill_workers(WfCampaign *m) {
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].pid) kill(m->workers[i].pid, SIGKILL);
  m->kill_ns = UINT64_MAX;
}

/* ---- events ---- */

static void take_record(WfCampaign *m, WfWorker *w) {
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
  int counts = r.kind == WF_RECORD_FINDING && !r.outside && !r.is_listed && (m->plan->strict || r.severity == SIMT_ERROR);
  counts = counts && !wf_plan_knows(m->plan, r.id);
  if (counts && m->plan->stop_on_first) stop(m, WF_STOP_SOON);
  free(r.json);
  free(r.text);
}

static void take_signal(WfCampaign *m) {
  struct signalfd_siginfo info;
  if (read(m->signals, &info, sizeof info) != (ssize_t)sizeof info) return;
  stop_in_time(m, WF_STOP_NOW);
  if (++m->interrupted == 1)
    wf_collect_notice(m->collector, "warpfuzz: interrupted, finishing the current cases");
  else
    kill_workers(m);
}

/* Stops workers whose case takes too much; their end is reported when it has come. */
static void watch_workers(WfCampaign *m, uint64_t now) {
  if (now < m->watch_ns) return;
  m->watch_ns = now + (uint64_t)WF_WATCH_PERIOD_MS * 1000000u;
  for (unsigned i = 0; i < m->plan->jobs; i++) {
    const WfWorker *w = &m->workers[i];
    WfWatched *v = &m->watched[i];
    if (!w->pid || *v->excess) continue;
    uint64_t run = (uint64_t)w->generation << 48 ^ progress(m, w);
    if (wf_watch_look(&v->watch, w->pid, run, &m->plan->allowed, v->excess)) kill(w->pid, SIGKILL);
  }
}

/* What was tried and reached is no finding: without it the campaign goes on, and that is told once. */
static void log_tried(WfCampaign *m, uint64_t now) {
  char err[WF_CASE_ERROR_MAX], line[WF_CASE_ERROR_MAX + 64];
  if (m->tried_failed) return;
  if (wf_tried_log(&m->tried, m->plan, m->workers, now, err, sizeof err) == 0 &&
      wf_cover_log(&m->cover, m->plan, m->workers, now, err, sizeof err) == 0)
    return;
  m->tried_failed = 1;
  m->collector->failures++; /* as for anything that could not be written */
  snprintf(line, sizeof line, "warpfuzz: what was tried is not recorded: %s", err);
  wf_collect_notice(m->collector, line);
}

static void tick(WfCampaign *m) {
  uint64_t now = wf_clock_ns();
  watch_workers(m, now);
  log_tried(m, now);
  if (m->plan->deadline_ns && now >= m->plan->deadline_ns) stop_in_time(m, WF_STOP_SOON);
  if (now >= m->kill_ns) kill_workers(m);
  wf_campaign_balance(m, now);
  wf_campaign_log(m, now);
}

/* One round of waiting. 0: no worker is left. */
static int wait_for_events(WfCampaign *m, struct pollfd *polled, WfWorker **by_poll) {
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

static int start_workers(WfCampaign *m) {
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (wf_worker_init(&m->workers[i], i, m->plan->n_targets) != 0) return -1;
  if (wf_campaign_share(m) != 0) return -1;
  wf_campaign_log(m, wf_clock_ns());
  if (m->plan->n_cases == 0) {
    for (unsigned i = 0; i < m->plan->jobs; i++)
      if (start_worker(m, &m->workers[i]) != 0) return -1;
    return 0;
  }
  m->workers[0].is_replaying = 1;
  return start_worker(m, &m->workers[0]);
}

static int run_workers(WfCampaign *m) {
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
  WfCampaign m = {.collector = c, .plan = c->plan, .start_ns = wf_clock_ns(), .kill_ns = UINT64_MAX};
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
  wf_campaign_log_end(&m);
  if (rc == 0) rc = wf_campaign_result(&m, out);
  if (rc == 0) log_tried(&m, UINT64_MAX);
  wf_tried_log_free(&m.tried);
  wf_cover_log_free(&m.cover);
  for (unsigned i = 0; i < c->plan->jobs; i++) wf_worker_free(&m.workers[i]);
  free(m.workers);
  free(m.watched);
  wf_balance_free(&m.balance);
  if (m.signals >= 0) close(m.signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return rc;
}
