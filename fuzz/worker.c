/* worker.c - starts the processes of a campaign and reads what they report. */
#define _GNU_SOURCE
#include "arith.h"
#include "check_info.h"
#include "worker.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

int wf_plan_knows(const WfPlan *p, uint64_t id) {
  for (size_t i = 0; i < p->n_known; i++)
    if (p->known[i] == id) return 1;
  return 0;
}

/* Of two that have been at a place, the one that is there now. NULL: none. */
static const WfReplay *find_at(const WfPlan *p, uint64_t site_id) {
  const WfReplay *found = NULL;
  for (size_t i = 0; i < p->n_replays; i++) {
    const WfReplay *r = &p->replays[i];
    if (r->site_id != site_id) continue;
    if (r->seen == WF_REPLAYED_OPEN || r->seen == WF_REPLAYED_MOVED) return r;
    if (!found) found = r;
  }
  return found;
}

static int has_moved_away(const WfPlan *p, uint64_t id) {
  for (size_t i = 0; i < p->n_replays; i++)
    if (p->replays[i].id == id) return 1;
  return 0;
}

uint64_t wf_plan_id(const WfPlan *p, uint64_t site_id) {
  const WfReplay *r = find_at(p, site_id);
  uint64_t id = site_id;
  if (r) return r->id;
  for (uint64_t state = site_id; has_moved_away(p, id);) id = wf_split_mix(&state);
  return id;
}

int wf_worker_init(WfWorker *w, unsigned index, size_t n_targets) {
  size_t bytes = sizeof(WfShared) + n_targets * sizeof(WfCounts) + wf_cover_bytes();
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return -1;
  *w = (WfWorker){.fd = -1, .index = index, .shared = p, .shared_bytes = bytes};
  return 0;
}

WfCover wf_worker_cover(const WfWorker *w, size_t n_targets) { return wf_cover_at(&w->shared->counts[n_targets]); }

void wf_worker_free(WfWorker *w) {
  if (w->fd >= 0) close(w->fd);
  if (w->shared) munmap(w->shared, w->shared_bytes);
  *w = (WfWorker){.fd = -1};
}

uint64_t wf_worker_executions(const WfWorker *w, size_t n_targets) {
  uint64_t n = 0;
  for (size_t i = 0; i < n_targets; i++) n += w->shared->counts[i].executions;
  return n;
}

/* The worker's part of the plan's executions, less what earlier generations did. */
static uint64_t runs_left(const WfWorker *w, const WfPlan *p) {
  uint64_t share = p->runs / p->jobs + (w->index < p->runs % p->jobs);
  uint64_t done = wf_worker_executions(w, p->n_targets);
  return done < share ? share - done : 0;
}

/* What the child does, and its exit status. */
static int run_child(const WfWorker *w, const WfPlan *plan, int fd) {
  unsigned generation = w->generation + plan->first_generation;
  uint64_t seed = w->index == 0 ? plan->seed : wf_seed_derive(plan->seed, w->index);
  if (w->is_replaying) return wf_replay_child(plan, w->shared, fd, w->shared->replayed) == 0 ? 0 : 99;
  if (generation) seed = wf_seed_derive(~seed, generation);
  int rc = wf_worker_child(plan, w->shared, fd, seed, runs_left(w, plan), w->generation == 0,
                           plan->n_devices > 0 ? (int)w->index % plan->n_devices : 0);
  return rc >= 0 ? rc : 99;
}

/* A user's host code may print, thousands of times. A replay shows what. */
static void mute(void) {
  int nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0) return;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close(nothing);
}

int wf_worker_start(WfWorker *w, const WfPlan *plan) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fflush(NULL); /* or the child inherits what is buffered */
  pid_t parent = getpid();
  w->pid = fork();
  if (w->pid == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    signal(SIGPIPE, SIG_DFL);
    if (wf_check_info) mute();
    _exit(run_child(w, plan, ends[1])); /* a child's end, not the program's */
  }
  close(ends[1]);
  w->fd = ends[0];
  w->generation += !w->is_replaying;
  if (w->pid > 0) return 0;
  close(w->fd);
  w->fd = -1;
  w->pid = 0;
  return -1;
}

char *wf_finding_line(const WfFinding *f, const char *path, uint64_t id) {
  static const char key[] = "{\"id\":\"";
  char digits[17], *json = wf_finding_json(f, path);
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)id);
  if (json && strncmp(json, key, sizeof key - 1) == 0) memcpy(json + sizeof key - 1, digits, 16);
  return json;
}

int wf_record_send(int fd, WfRecord *r) {
  r->json_len = r->json ? strlen(r->json) : 0;
  r->text_len = r->text ? strlen(r->text) : 0;
  if (wf_write_all(fd, r, sizeof *r) != 0 || wf_write_all(fd, r->json, r->json_len) != 0) return -1;
  return wf_write_all(fd, r->text, r->text_len);
}

static int read_all(int fd, void *data, size_t len) {
  for (char *p = data; len;) {
    ssize_t n = read(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    p += n;
    len -= (size_t)n;
  }
  return 1;
}

/* A string of the record. 1; 0: closed; -1: no memory. */
static int read_text(int fd, size_t len, char **out) {
  *out = NULL;
  if (len == 0) return 1;
  char *text = malloc(len + 1);
  if (!text) return -1;
  text[len] = '\0';
  *out = text;
  return read_all(fd, text, len);
}

int wf_worker_read(WfWorker *w, WfRecord *out) {
  if (!read_all(w->fd, out, sizeof *out)) return 0;
  out->json = out->text = NULL;
  int rc = read_text(w->fd, out->json_len, &out->json);
  if (rc == 1) rc = read_text(w->fd, out->text_len, &out->text);
  if (rc == 1) return 1;
  free(out->json);
  free(out->text);
  return rc;
}
