/* worker_child.c - the process of a worker: executions, work that is shared with others, and when it ends. What it tells
 * of them: worker_tell.c. */
#define _GNU_SOURCE
#include "corpus_merge.h"
#include "worker_child.h"
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_PERIOD_NS UINT64_C(500000000)
#define IMPORT_PERIOD_NS UINT64_C(15000000000)

/* A merge may take so long, or one part in so many of what the worker has run. */
#define ARBITRARY_MERGE_NS UINT64_C(20000000000)
#define ARBITRARY_MERGE_PART 50

enum { MAX_MERGE_DROP = 65536 }; /* what is beyond is left for the next time */

static void note_current(void *arg, const WfStep *s) {
  WfChild *c = arg;
  c->shared->current = *s->c;
  c->shared->current_target = (uint32_t)s->target;
  c->shared->busy = WF_FUZZING;
  c->began_ns = wf_clock_ns();
}

/* Counts an execution and reports what came of it. 0; -1: the pipe or the memory failed. */
static int step_done(void *arg, WfStep *s, const char *message) {
  WfChild *c = arg;
  c->shared->busy = WF_IDLE;
  if (message) {
    c->shared->counts[s->target].executions++;
    return wf_child_send_failure(c, s, message);
  }
  wf_child_count(c, s);
  if (s->new_features > 0 && wf_child_send_corpus(c, s) != 0) return -1;
  return wf_child_send_verdict(c, s) == 0 ? wf_child_send_counts(c, 0) : -1;
}

/* ---- work that is shared ---- */

/* Whose turn it is in a balanced plan; SIZE_MAX: this worker has nothing to do just now. */
static size_t choose_turn(WfChild *c) {
  for (size_t i = 0; i < c->turns.n; i++) wf_turns_weigh(&c->turns, i, c->shared->counts[i].weight);
  return wf_turns_next(&c->turns);
}

/* Takes cases of others in, now and then, and at once what earlier generations of this worker had. 0; -1: no memory. */
static int import(WfChild *c) {
  uint64_t now = wf_clock_ns();
  if (now < c->import_ns) return 0;
  c->import_ns = now + IMPORT_PERIOD_NS;
  return wf_import_all(&c->import, c->fuzzer, c->plan->targets, c->turns.weight, c->plan->n_targets, c->plan->out);
}

/* What a merge has to say, in memory shared with the process that makes it. */
typedef struct Merged {
  int is_done;
  uint64_t n_left, n_drop, drop[MAX_MERGE_DROP];
} Merged;

static int leaves_the_merge(void *arg) {
  const WfChild *c = arg;
  return c->shared->stop || wf_clock_ns() >= c->merge_end_ns;
}

/* In a process of its own, whose memory goes with it, and which may die of a case. */
static void merge_apart(WfChild *c, const WfOp *op, Merged *out) {
  const WfLimits *limits = c->plan->limits;
  const WfMergeOptions opt = {c, leaves_the_merge, limits && limits[0].outside};
  WfMerge m;
  char dir[4096];
  snprintf(dir, sizeof dir, "%s/corpus/%s", c->plan->out, op->name);
  if (wf_corpus_merge(op, c->plan->targets, c->plan->n_targets, dir, wf_fuzzer_runner(c->fuzzer), &opt, &m) != 1) return;
  out->n_left = m.n_cases - m.n_drop;
  for (size_t i = 0; i < m.n_drop && i < MAX_MERGE_DROP; i++) out->drop[out->n_drop++] = m.drop[i];
  out->is_done = 1;
}

static int send_merged(WfChild *c, uint32_t target, const Merged *m) {
  WfRecord r = {.kind = WF_RECORD_DROP, .target = target};
  for (size_t i = 0; i < m->n_drop; i++) {
    r.key = m->drop[i];
    if (wf_child_send(c, &r) != 0) return -1;
  }
  r.kind = WF_RECORD_MERGED;
  r.count = m->n_left;
  return wf_child_send(c, &r);
}

/* Makes the corpus of an op small, if the parent asks for it. 0; -1: the pipe failed. */
static int merge(WfChild *c) {
  const uint32_t asked = c->shared->merge;
  int rc = 0;
  if (!asked) return 0;
  uint64_t now = wf_clock_ns(), part_ns = (now - c->start_ns) / ARBITRARY_MERGE_PART;
  c->merge_end_ns = now + (part_ns > ARBITRARY_MERGE_NS ? part_ns : ARBITRARY_MERGE_NS);
  Merged *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pid_t pid = m == MAP_FAILED ? -1 : fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    merge_apart(c, c->plan->targets[asked - 1].op, m);
    _exit(0);
  }
  while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
  if (pid > 0 && m->is_done) rc = send_merged(c, asked - 1, m);
  if (m != MAP_FAILED) munmap(m, sizeof *m);
  c->shared->merge = 0;
  return rc;
}

/* ---- steps ---- */

/* Runs what was chosen. 0; -1: the pipe or the memory failed. */
static int run_step(WfChild *c, WfStep *s) {
  char err[256];
  note_current(c, s);
  int rc = wf_fuzzer_execute(c->fuzzer, s, err, sizeof err);
  return step_done(c, s, rc == 0 ? NULL : err);
}

/* The case that the generation before was killed in. 1: it was run; 0: there is none; -1: the pipe or the memory failed. */
static int step_again(WfChild *c) {
  WfShared *shared = c->shared;
  WfStep s;
  if (!shared->again) return 0;
  shared->again = 0;
  int rc = wf_fuzzer_add_for(c->fuzzer, shared->current_target, &shared->current);
  if (rc <= 0) return rc;
  wf_fuzzer_choose_for(c->fuzzer, shared->current_target, &s);
  return run_step(c, &s) == 0 ? 1 : -1;
}

/* One execution and its reports. 1: so many; -1: the pipe or the memory failed. */
static int step_one(WfChild *c) {
  WfStep s;
  size_t turn = c->plan->is_balanced ? choose_turn(c) : 0;
  if (c->plan->is_balanced && (import(c) != 0 || merge(c) != 0)) return -1;
  if (turn == SIZE_MAX) {
    usleep(100000);
    return 0;
  }
  uint64_t start_ns = wf_clock_ns();
  if (c->plan->is_balanced) wf_fuzzer_choose_for(c->fuzzer, turn, &s);
  else wf_fuzzer_choose(c->fuzzer, &s);
  int rc = run_step(c, &s);
  if (c->plan->is_balanced) wf_turns_spend(&c->turns, s.target, wf_clock_ns() - start_ns);
  return rc == 0 ? 1 : -1;
}

/* Is there more memory than a worker may have? What a single case needs is given back, or is for the next generation to do without. */
static int is_full(WfChild *c) {
  uint64_t now = wf_clock_ns(), bytes = 0;
  if (!c->plan->memory_bytes || now < c->memory_ns) return 0;
  c->memory_ns = now + MEMORY_PERIOD_NS;
  return wf_resident_bytes(getpid(), &bytes) == 0 && bytes > c->plan->memory_bytes;
}

static int is_over(const WfChild *c) {
  const WfPlan *p = c->plan;
  return c->stop || c->shared->stop || (p->deadline_ns && wf_clock_ns() >= p->deadline_ns);
}

/* WfGpuSink.is_over */
static int leaves_the_rest(void *arg) {
  WfChild *c = arg;
  if (!is_over(c)) return 0;
  if (!c->over_ns) c->over_ns = wf_clock_ns();
  return c->stop || c->shared->stop == WF_STOP_NOW || wf_clock_ns() >= c->over_ns + ARBITRARY_SHRINK_GRACE_NS;
}

/* At most `left` executions on the device; 0: those that are on their way come to their end. How many, or -1. */
static int step_many(WfChild *c, uint64_t left) {
  const WfGpuSink sink = {c, note_current, step_done, leaves_the_rest};
  const WfStep nothing = {.c = &c->shared->current};
  char err[256];
  int n = wf_gpu_batches_step(c->batches, left, &sink, err, sizeof err);
  if (n < 0 && err[0]) wf_child_send_failure(c, &nothing, err);
  return n;
}

static int child_loop(WfChild *c, uint64_t runs) {
  const WfPlan *p = c->plan;
  int again = c->batches ? 0 : step_again(c);
  if (again < 0) return -1;
  for (uint64_t n = (uint64_t)again; (!p->runs || n < runs) && !is_over(c);) {
    int did = c->batches ? step_many(c, p->runs ? runs - n : UINT64_MAX) : step_one(c);
    if (did < 0) return -1;
    n += (uint64_t)did;
    if ((c->is_full = is_full(c))) break;
  }
  int rc = c->batches ? step_many(c, 0) : 0;
  return rc >= 0 ? wf_child_send_counts(c, 1) : -1;
}

/* The device, as the plan says. 0; -1: it cannot be used, which is reported. */
static int open_device(WfChild *c, int device) {
  const WfPlan *p = c->plan;
  const WfGpuOptions opt = {.device = device, .timeout_ns = p->device_ns};
  const WfStep nothing = {.c = &c->shared->current};
  const WfRunOptions run = {.rtol = p->rtol, .atol = p->atol, .outside = p->limits && p->limits[0].outside};
  char err[256] = "out of memory";
  if (p->backend == WF_BACKEND_SIMT) return 0;
  c->shared->current.op = p->targets[0].op;
  if (wf_gpu_create(&c->gpu, &opt, err, sizeof err) == 0) {
    wf_runner_use(wf_fuzzer_runner(c->fuzzer), p->backend, c->gpu, p->flavor);
    if (p->backend == WF_BACKEND_BOTH) return 0;
    if (wf_gpu_batches_create(&c->batches, c->fuzzer, p->targets, p->n_targets, c->gpu, &run) == 0) return 0;
  }
  wf_child_send_failure(c, &nothing, err);
  return -1;
}

/* It is in all queues, and need not be taken from the disk once more. 0; -1: no memory. */
static int note_seed(WfChild *c, const WfCase *seed) {
  const uint64_t key = c->plan->is_balanced ? wf_case_key(seed) : 0;
  for (size_t i = 0; c->plan->is_balanced && i < c->plan->n_targets; i++)
    if (c->plan->targets[i].op == seed->op && wf_import_note(&c->import, i, key) != 0) return -1;
  return 0;
}

/* The plan's cases to start from. */
static int add_seeds(WfChild *c) {
  const WfPlan *p = c->plan;
  WfCase seed;
  for (size_t i = 0; i < p->n_seeds; i++) {
    wf_case_unpack(&seed, p->seeds[i]);
    if (wf_fuzzer_add(c->fuzzer, &seed) < 0 || note_seed(c, &seed) != 0) return -1;
  }
  return 0;
}

static int child_run(WfChild *c, uint64_t seed, uint64_t runs, int with_seeds, int device) {
  const WfPlan *p = c->plan;
  if (wf_fuzzer_create(&c->fuzzer, p->targets, p->n_targets, seed) != 0) return -1;
  wf_fuzzer_limit(c->fuzzer, p->limits, p->rtol, p->atol);
  if (with_seeds && add_seeds(c) != 0) return -1;
  return open_device(c, device) != 0 ? -1 : child_loop(c, runs);
}

int wf_worker_child(const WfPlan *p, WfShared *shared, int fd, uint64_t seed, uint64_t runs, int with_seeds, int device) {
  enum { MAPPED_BYTES = 1 << 20 };
  WfChild c = {.plan = p, .shared = shared, .fd = fd, .start_ns = wf_clock_ns()};
  mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES); /* large arrays go back to the system when they are freed, wherever they lie */
  int rc = wf_turns_init(&c.turns, p->n_targets);
  if (rc == 0) rc = child_run(&c, seed, runs, with_seeds, device);
  wf_gpu_destroy(c.gpu);
  return rc == 0 && c.is_full ? WF_WORKER_FULL : rc;
}
