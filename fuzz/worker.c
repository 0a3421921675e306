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
  int outside;
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

int wf_plan_knows(const WfPlan *p, uint64_t id) {
  for (size_t i = 0; i < p->n_known; i++)
    if (p->known[i] == id) return 1;
  return 0;
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
    if (s->target == now->target && s->cls == now->cls && s->outside == now->outside) *first = 0;
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

/* What is sent of a finding, but for its texts. */
static void describe(const Child *c, const WfStep *s, const WfFinding *f, WfRecord *r) {
  *r = (WfRecord){.target = (uint32_t)s->target, .cls = f->simt.cls, .severity = f->simt.severity, .size = s->size};
  r->kind = f->simt.severity == SIMT_MEANT ? WF_RECORD_MEANT : WF_RECORD_FINDING;
  r->outside = f->outside[0] != '\0';
  r->id = wf_finding_id(f);
  r->c = *s->c;
  r->c.variant = c->plan->targets[s->target].variant;
  r->c.expect = s->verdict->errors | (r->kind == WF_RECORD_FINDING ? 1u << f->simt.cls : 0);
  r->key = wf_case_key(&r->c); /* what a replay of the saved file will say */
  char *places = wf_finding_places(f);
  snprintf(r->places, sizeof r->places, "%s", places ? places : "");
  free(places);
}

/* A race that is meant: its reason goes in the place of the text, and no case is saved. */
static int send_meant(Child *c, const WfStep *s, const WfFinding *f) {
  WfRecord r;
  int first;
  describe(c, s, f, &r);
  Seen now = {r.id, 0, r.target, r.cls, r.outside};
  int worth = note_finding(c, &now, &first);
  if (worth <= 0) return worth;
  r.json = wf_finding_json(f, NULL);
  r.text = (char *)f->simt.reason;
  int rc = r.json ? send_record(c, &r) : -1;
  free(r.json);
  return rc;
}

static int send_finding(Child *c, const WfStep *s, const WfFinding *found) {
  WfFinding f = *found;
  WfRecord r;
  int first;
  describe(c, s, &f, &r);
  Seen now = {r.id, r.size, r.target, r.cls, r.outside};
  int worth = note_finding(c, &now, &first);
  if (worth <= 0) return worth;
  char name[WF_FILE_NAME_MAX], path[4096];
  wf_finding_file_name(&c->plan->targets[r.target], r.cls, r.key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  f.key = r.key;
  f.program = c->plan->program;
  r.json = wf_finding_json(&f, path);
  r.text = first && f.simt.severity == SIMT_ERROR ? wf_finding_text(&f, path) : NULL;
  int rc = r.json ? send_record(c, &r) : -1;
  free(r.json);
  free(r.text);
  return rc;
}

static void add_set(_Atomic uint64_t *counts, unsigned n, uint32_t set) {
  for (unsigned i = 0; i < n; i++) counts[i] += set >> i & 1;
}

static void count_step(const Child *c, const WfStep *s) {
  WfCounts *n = &c->shared->counts[s->target];
  const WfVerdict *v = s->verdict;
  size_t corpus, features;
  n->executions++;
  add_set(n->situations, WF_SITUATION_COUNT, v->situations);
  add_set(n->meant, SIMT_CLASS_COUNT, v->meant);
  n->no_verdict += v->no_verdict != 0;
  if (v->outside[0]) {
    n->outside++;
    add_set(n->outside_classes, SIMT_CLASS_COUNT, v->errors | v->warnings);
  } else {
    add_set(n->errors, SIMT_CLASS_COUNT, v->errors);
    add_set(n->warnings, SIMT_CLASS_COUNT, v->warnings);
  }
  wf_fuzzer_totals(c->fuzzer, &corpus, &features);
  c->shared->corpus = corpus;
  c->shared->features = features;
}

/* Is it a reason to stop at the first error? */
static int stops(const WfPlan *p, const WfFinding *f) {
  if (f->outside[0] || !(p->strict || f->simt.severity == SIMT_ERROR)) return 0;
  return !wf_plan_knows(p, wf_finding_id(f));
}

static int send_verdict(Child *c, const WfStep *s) {
  const WfVerdict *v = s->verdict;
  for (size_t i = 0; i < v->n; i++) {
    if (send_finding(c, s, &v->finding[i]) != 0) return -1;
    c->stop |= c->plan->stop_on_first && stops(c->plan, &v->finding[i]);
  }
  for (size_t i = 0; i < v->n_meant; i++)
    if (send_meant(c, s, &v->meant_race[i]) != 0) return -1;
  return 0;
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
  return send_verdict(c, &s);
}

static int child_run(Child *c, uint64_t seed, uint64_t runs, int with_seeds) {
  const WfPlan *p = c->plan;
  if (wf_fuzzer_create(&c->fuzzer, p->targets, p->n_targets, seed) != 0) return -1;
  wf_fuzzer_limit(c->fuzzer, p->limits, p->rtol, p->atol);
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
