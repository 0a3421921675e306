/* worker.c - the child process of a campaign and the pipe to its parent. */
#define _GNU_SOURCE
#include "worker.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

typedef struct Seen { /* a finding that was reported, and the size of its smallest case */
  uint64_t id, size;
  uint32_t target;
  SimtClass cls;
} Seen;

typedef struct Child {
  const WfPlan *plan;
  WfShared *shared;
  WfFuzzer *fuzzer;
  Seen *seen;
  size_t n_seen;
  int fd;
  int stop; /* an error came and the plan says to stop there */
} Child;

uint64_t wf_clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the child's side ---- */

static int write_all(int fd, const void *data, size_t len) {
  for (const char *p = data; len;) {
    ssize_t n = write(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return -1;
    p += n;
    len -= (size_t)n;
  }
  return 0;
}

static int send_record(const Child *c, WfRecord *r) {
  r->json_len = r->json ? strlen(r->json) : 0;
  r->text_len = r->text ? strlen(r->text) : 0;
  if (write_all(c->fd, r, sizeof *r) != 0 || write_all(c->fd, r->json, r->json_len) != 0) return -1;
  return write_all(c->fd, r->text, r->text_len);
}

static int send_failure(const Child *c, const WfStep *s, const char *message) {
  WfRecord r = {.kind = WF_RECORD_FAILURE, .target = (uint32_t)s->target, .c = *s->c};
  r.c.variant = c->plan->targets[s->target].variant;
  r.text = (char *)message;
  return send_record(c, &r);
}

static int send_corpus(const Child *c, const WfStep *s) {
  WfRecord r = {.kind = WF_RECORD_CORPUS, .target = (uint32_t)s->target, .c = *s->c, .size = s->size};
  r.key = wf_case_key(&r.c);
  return send_record(c, &r);
}

/* Notes the finding. 1: worth reporting (new, or with a smaller case); 0; -1: no memory. *first: no finding of this
 * class and variant came before. */
static int note_finding(Child *c, const Seen *now, int *first) {
  *first = 1;
  for (size_t i = 0; i < c->n_seen; i++) {
    Seen *s = &c->seen[i];
    if (s->target == now->target && s->cls == now->cls) *first = 0;
    if (s->id != now->id) continue;
    if (s->size <= now->size) return 0;
    s->size = now->size;
    return 1;
  }
  Seen *more = realloc(c->seen, (c->n_seen + 1) * sizeof *more);
  if (!more) return -1;
  c->seen = more;
  c->seen[c->n_seen++] = *now;
  return 1;
}

static int send_finding(Child *c, const WfStep *s, const WfFinding *found) {
  const WfTarget *t = &c->plan->targets[s->target];
  WfFinding f = *found;
  Seen now = {wf_finding_id(&f), s->size, (uint32_t)s->target, f.simt.cls};
  int first, worth = note_finding(c, &now, &first);
  if (worth <= 0) return worth;
  WfRecord r = {.kind = WF_RECORD_FINDING, .target = now.target, .cls = now.cls, .severity = f.simt.severity};
  r.id = now.id;
  r.size = s->size;
  r.c = *s->c;
  r.c.variant = t->variant;
  r.c.expect = s->verdict->errors | 1u << f.simt.cls;
  r.key = f.key = wf_case_key(&r.c); /* what a replay of the saved file will say */
  char name[WF_FILE_NAME_MAX], path[4096];
  wf_finding_file_name(t, r.cls, r.key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  char *places = wf_finding_places(&f);
  snprintf(r.places, sizeof r.places, "%s", places ? places : "");
  free(places);
  f.program = c->plan->program;
  r.json = wf_finding_json(&f, path);
  r.text = first && f.simt.severity == SIMT_ERROR ? wf_finding_text(&f, path) : NULL;
  int rc = r.json ? send_record(c, &r) : -1;
  free(r.json);
  free(r.text);
  return rc;
}

static void count_step(const Child *c, const WfStep *s) {
  WfCounts *n = &c->shared->counts[s->target];
  size_t corpus, features;
  n->executions++;
  for (unsigned i = 0; i < WF_SITUATION_COUNT; i++) n->situations[i] += s->verdict->situations >> i & 1;
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    n->errors[i] += s->verdict->errors >> i & 1;
    n->warnings[i] += s->verdict->warnings >> i & 1;
  }
  wf_fuzzer_totals(c->fuzzer, &corpus, &features);
  c->shared->corpus = corpus;
  c->shared->features = features;
}

/* One execution and its reports. 0; -1: the pipe or the memory failed. */
static int child_step(Child *c) {
  WfStep s;
  char err[256];
  wf_fuzzer_choose(c->fuzzer, &s);
  c->shared->current = *s.c;
  c->shared->current_target = (uint32_t)s.target;
  c->shared->busy = 1;
  int rc = wf_fuzzer_execute(c->fuzzer, &s, err, sizeof err);
  c->shared->busy = 0;
  if (rc != 0) {
    c->shared->counts[s.target].executions++;
    return send_failure(c, &s, err);
  }
  count_step(c, &s);
  if (s.new_features > 0 && send_corpus(c, &s) != 0) return -1;
  for (size_t i = 0; i < s.verdict->n; i++)
    if (send_finding(c, &s, &s.verdict->finding[i]) != 0) return -1;
  uint32_t counted = s.verdict->errors | (c->plan->strict ? s.verdict->warnings : 0);
  c->stop = c->plan->stop_on_first && counted;
  return 0;
}

static int child_run(Child *c, uint64_t seed, uint64_t runs, int with_seeds) {
  const WfPlan *p = c->plan;
  if (wf_fuzzer_create(&c->fuzzer, p->targets, p->n_targets, seed) != 0) return -1;
  for (size_t i = 0; with_seeds && i < p->n_seeds; i++)
    if (wf_fuzzer_add(c->fuzzer, &p->seeds[i]) < 0) return -1;
  for (uint64_t n = 0; !p->runs || n < runs; n++) {
    if (c->stop || c->shared->stop || (p->deadline_ns && wf_clock_ns() >= p->deadline_ns)) break;
    if (child_step(c) != 0) return -1;
  }
  return 0;
}

/* ---- the parent's side ---- */

int wf_worker_init(WfWorker *w, unsigned index, size_t n_targets) {
  size_t bytes = sizeof(WfShared) + n_targets * sizeof(WfCounts);
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return -1;
  *w = (WfWorker){.fd = -1, .index = index, .shared = p, .shared_bytes = bytes};
  return 0;
}

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

int wf_worker_start(WfWorker *w, const WfPlan *plan) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  uint64_t seed = w->index == 0 ? plan->seed : wf_seed_derive(plan->seed, w->index);
  if (w->generation) seed = wf_seed_derive(~seed, w->generation);
  fflush(NULL); /* or the child inherits what is buffered */
  pid_t parent = getpid();
  w->pid = fork();
  if (w->pid == 0) {
    Child c = {.plan = plan, .shared = w->shared, .fd = ends[1]};
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    signal(SIGPIPE, SIG_DFL);
    _exit(child_run(&c, seed, runs_left(w, plan), w->generation == 0) == 0 ? 0 : 99); /* a child's end, not the program's */
  }
  close(ends[1]);
  w->fd = ends[0];
  w->generation++;
  if (w->pid > 0) return 0;
  close(w->fd);
  w->fd = -1;
  w->pid = 0;
  return -1;
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
