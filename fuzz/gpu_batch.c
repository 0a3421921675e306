/* gpu_batch.c - chooses cases for the variants in turn, runs each on all variants of its op that admit it, and has one batch on
 * the device while the one before is judged. */
#include "gpu_batch.h"
#include "run_gpu.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Batch {
  size_t n, n_cases;
  WfGpuJob jobs[WF_GPU_MAX_JOBS];
  size_t target[WF_GPU_MAX_JOBS]; /* by job */
  WfCase cases[WF_GPU_MAX_JOBS];
  WfGpuAnswer answers[WF_GPU_MAX_JOBS];
  size_t suspects[WF_GPU_MAX_JOBS]; /* jobs that are not right in company */
  int looked_at[WF_GPU_MAX_JOBS]; /* by job: right, but to be run by itself all the same */
  size_t n_suspects;
  size_t n_left;                  /* jobs behind those: chosen, and not sent, since they did not fit */
  size_t n_large;                 /* jobs at the arrays' end that fit into no batch */
} Batch;

struct WfGpuBatches {
  WfFuzzer *fuzzer;
  const WfTarget *targets;
  size_t n_targets;
  WfGpu *gpu;
  WfRunOptions opt;
  Batch batch[WF_GPU_BATCHES];
  unsigned next;     /* the batch to be filled */
  unsigned n_sent;   /* on their way, those before `next` */
  uint64_t turn, n_right, n_large;
  unsigned char *has_hung; /* by target: with all the patience there is, so that it needs none again */
  WfVerdict verdict;
};

int wf_gpu_batches_create(WfGpuBatches **out, WfFuzzer *f, const WfTarget *targets, size_t n_targets, WfGpu *gpu,
                          const WfRunOptions *opt) {
  WfGpuBatches *b = calloc(1, sizeof *b);
  *out = b;
  if (!b)
    return -1;
  b->fuzzer = f;
  b->targets = targets;
  b->n_targets = n_targets;
  b->gpu = gpu;
  b->opt = *opt;
  b->has_hung = calloc(n_targets, sizeof *b->has_hung);
  if (b->has_hung)
    return 0;
  free(b);
  *out = NULL;
  return -1;
}

void wf_gpu_batches_destroy(WfGpuBatches *b) {
  if (b)
    free(b->has_hung);
  free(b);
}

/* ---- choosing ---- */

/* Of the jobs that are too large for a batch one in so many is run, for it takes long. */
enum { ARBITRARY_LARGE_TURN = 64 };

static void add_job(WfGpuBatches *b, Batch *batch, const WfCase *c, size_t target) {
  WfGeometry g;
  WfGpuJob job;
  if (!wf_fuzzer_admits(b->fuzzer, target, c, &g))
    return;
  wf_gpu_job(wf_fuzzer_runner(b->fuzzer), c, b->targets[target].variant, &g, &job);
  int fits = wf_gpu_fits(b->gpu, &job);
  if (!fits && b->n_large++ % ARBITRARY_LARGE_TURN != 0)
    return;
  size_t i = fits ? batch->n++ : WF_GPU_MAX_JOBS - ++batch->n_large;
  batch->jobs[i] = job;
  batch->target[i] = target;
  batch->answers[i] = (WfGpuAnswer){.end = WF_GPU_UNKNOWN};
}

/* The case on the variant that it was chosen for, then on the others of its op, from another one on each time, for a batch may
 * be full before all have had it. */
static void add_case(WfGpuBatches *b, Batch *batch, size_t max) {
  WfStep s;
  wf_fuzzer_choose(b->fuzzer, &s);
  WfCase *c = &batch->cases[batch->n_cases++];
  *c = *s.c;
  add_job(b, batch, c, s.target);
  size_t from = (size_t)(b->turn++ % b->n_targets);
  for (size_t i = 0; i < b->n_targets && batch->n + batch->n_large < max; i++) {
    size_t t = (from + i) % b->n_targets;
    if (t != s.target && b->targets[t].op == c->op)
      add_job(b, batch, c, t);
  }
}

/* What the batch before had no room for comes first: cases that somebody gave are chosen once. */
static void take_left(Batch *batch, Batch *before, size_t max) {
  const WfCase *c = NULL;
  for (; before->n_left > 0 && batch->n < max; before->n_left--) {
    size_t from = before->n + batch->n, i = batch->n++;
    batch->jobs[i] = before->jobs[from];
    batch->target[i] = before->target[from];
    if (batch->jobs[i].c != c)
      batch->cases[batch->n_cases++] = *(c = batch->jobs[i].c);
    batch->jobs[i].c = &batch->cases[batch->n_cases - 1];
    batch->answers[i] = (WfGpuAnswer){.end = WF_GPU_UNKNOWN};
  }
  before->n_left = 0;
}

static void choose(WfGpuBatches *b, Batch *batch, uint64_t runs) {
  size_t max = runs < WF_GPU_MAX_JOBS ? (size_t)runs : WF_GPU_MAX_JOBS;
  batch->n = batch->n_cases = batch->n_suspects = batch->n_left = batch->n_large = 0;
  take_left(batch, &b->batch[(b->next + WF_GPU_BATCHES - 1) % WF_GPU_BATCHES], max);
  while (batch->n + batch->n_large < max && batch->n_cases < WF_GPU_MAX_JOBS)
    add_case(b, batch, max);
}

/* ---- judging ---- */

static int finish(WfGpuBatches *b, const Batch *batch, size_t i, const WfGpuSink *sink, const char *message) {
  WfStep s = {.target = batch->target[i], .c = batch->jobs[i].c, .verdict = &b->verdict};
  if (!message && wf_fuzzer_offer(b->fuzzer, &s, &batch->jobs[i].g) != 0)
    message = "out of memory for the corpus";
  return sink->done(sink->arg, &s, message);
}

/* Of a job that has none yet. */
static void begin_verdict(WfGpuBatches *b, const Batch *batch, size_t i) {
  WfVerdict *v = &b->verdict; /* without its findings: they are large, and n says that there are none */
  v->n = v->n_dropped = v->n_meant = 0;
  v->errors = v->warnings = v->meant = v->situations = 0;
  v->no_verdict = 0;
  v->runs = 1;
  v->outside[0] = '\0';
  if (b->opt.outside)
    wf_case_admits(batch->jobs[i].c, batch->jobs[i].v, NULL, v->outside, sizeof v->outside);
}

/* One right job in so many is run by itself as well, with repeats under other circumstances and the relations of its op. */
enum { ARBITRARY_CLOSER_LOOK = 512 };

static int deserves_closer_look(WfGpuBatches *b) { return b->n_right++ % ARBITRARY_CLOSER_LOOK == ARBITRARY_CLOSER_LOOK - 1; }

/* Those that are right are done with, the others noted. 0; -1 */
static int judge(WfGpuBatches *b, Batch *batch, const WfGpuSink *sink) {
  WfRunner *r = wf_fuzzer_runner(b->fuzzer);
  wf_gpu_batch_begin(r);
  for (size_t i = 0; i < batch->n; i++) {
    uint32_t situations = 0;
    int right = wf_gpu_is_right(r, &batch->jobs[i], &batch->answers[i], &b->opt, &situations);
    batch->looked_at[i] = right == 1 && deserves_closer_look(b);
    if (right == 0 || batch->looked_at[i]) {
      batch->suspects[batch->n_suspects++] = i;
      continue;
    }
    begin_verdict(b, batch, i);
    b->verdict.situations = situations;
    if (finish(b, batch, i, sink, right < 0 ? "out of memory" : NULL) != 0)
      return -1;
  }
  return 0;
}

/* Right by itself, as often as it was run: the company was to blame, or it happens rarely. */
static void note_unconfirmed(WfGpuBatches *b, const Batch *batch, size_t i) {
  WfRunner *r = wf_fuzzer_runner(b->fuzzer);
  WfFinding f;
  memset(&f, 0, sizeof f);
  f.op = batch->jobs[i].c->op;
  f.variant = batch->jobs[i].v;
  f.key = wf_case_key(batch->jobs[i].c);
  f.rtol = b->opt.rtol;
  f.atol = b->opt.atol;
  f.device = wf_runner_device(r);
  f.build = wf_gpu_flavor_name(batch->jobs[i].flavor);
  memcpy(f.outside, b->verdict.outside, sizeof f.outside);
  f.ulp = NAN;
  f.simt.cls = SIMT_NONDETERMINISTIC;
  f.simt.severity = SIMT_WARNING;
  f.simt.kernel = f.simt.object = "";
  f.simt.count = 1;
  f.simt.rule = "the same run, repeated, must give the same result";
  snprintf(f.simt.detail, sizeof f.simt.detail, "it was wrong once, in company of other launches, and right whenever it ran by itself");
  wf_verdict_add(&b->verdict, &f);
}

/* A job that belongs to a lost batch says nothing of itself. */
static int was_wrong(const Batch *batch, size_t i) { return !batch->looked_at[i] && batch->answers[i].end == WF_GPU_RAN; }

/* Runs a job by itself. 0, or -1 with a message: it has no verdict. */
static int run_job_alone(WfGpuBatches *b, const Batch *batch, size_t i, int closely, const WfGpuSink *sink, char *err, size_t err_size) {
  const WfGpuJob *job = &batch->jobs[i];
  WfRunOptions opt = b->opt;
  WfStep s = {.target = batch->target[i], .c = job->c, .verdict = &b->verdict};
  sink->before(sink->arg, &s);
  opt.all_relations = closely;
  opt.repeated = batch->looked_at[i];
  opt.patient = !b->has_hung[batch->target[i]];
  int rc = wf_run(wf_fuzzer_runner(b->fuzzer), job->c, job->v, &opt, &b->verdict, err, err_size);
  b->has_hung[batch->target[i]] |= rc == 0 && (b->verdict.errors >> SIMT_HANG & 1);
  return rc;
}

static int run_alone(WfGpuBatches *b, const Batch *batch, size_t i, const WfGpuSink *sink, char *err, size_t err_size) {
  return run_job_alone(b, batch, i, was_wrong(batch, i), sink, err, err_size);
}

/* Of a case for which no time is left. 0; -1 */
static int give_up(WfGpuBatches *b, const Batch *batch, size_t i, const WfGpuSink *sink) {
  begin_verdict(b, batch, i);
  b->verdict.no_verdict = 1;
  return finish(b, batch, i, sink, NULL);
}

static int is_clean(const WfVerdict *v) { return !v->errors && !v->warnings && !v->no_verdict; }

/* Whoever spoils the memory of others is right itself, in company. Runs those that were, and reports what they show. 1: one of them
 * shows something; 0; -1. */
static int find_culprit(WfGpuBatches *b, const Batch *batch, const WfGpuSink *sink) {
  char err[256];
  int found = 0;
  for (size_t i = 0; i < batch->n && !sink->is_over(sink->arg); i++) {
    size_t k = 0;
    while (k < batch->n_suspects && batch->suspects[k] != i)
      k++;
    if (k < batch->n_suspects || run_alone(b, batch, i, sink, err, sizeof err) != 0 || is_clean(&b->verdict))
      continue; /* it has had its verdict */
    found = 1;
    if (finish(b, batch, i, sink, NULL) != 0)
      return -1;
  }
  return found;
}

/* A fault of the context that no launch of its batch shows by itself. Somebody's it is, and it may be rare: all are looked at closely.
 * 0; -1. */
static int find_rare_fault(WfGpuBatches *b, const Batch *batch, const WfGpuSink *sink) {
  char err[256];
  for (size_t i = 0; i < batch->n && !sink->is_over(sink->arg); i++) {
    if (run_job_alone(b, batch, i, 1, sink, err, sizeof err) == 0 && !is_clean(&b->verdict) && finish(b, batch, i, sink, NULL) != 0)
      return -1;
    if (b->verdict.errors)
      break;
  }
  return 0;
}

/* Did a fault of a kernel end the batch? Then none of it has an answer. */
static int had_fault(const Batch *batch) {
  const WfGpuAnswer *a = &batch->answers[0];
  return batch->n > 1 && a->end == WF_GPU_UNKNOWN && a->error.status > WF_DEVICE_REFUSED;
}

/* Those that are not right by themselves have their verdicts; of the others the company is to blame. */
static int run_suspects(WfGpuBatches *b, Batch *batch, const WfGpuSink *sink) {
  size_t open[WF_GPU_MAX_JOBS], n_open = 0;
  int is_explained = !had_fault(batch);
  char err[256];
  for (size_t k = 0; k < batch->n_suspects; k++) {
    size_t i = batch->suspects[k];
    if (k > 0 && sink->is_over(sink->arg)) {
      if (give_up(b, batch, i, sink) != 0)
        return -1;
      continue;
    }
    int rc = run_alone(b, batch, i, sink, err, sizeof err);
    is_explained |= rc != 0 || b->verdict.errors != 0;
    if (rc == 0 && was_wrong(batch, i) && is_clean(&b->verdict))
      open[n_open++] = i;
    else if (finish(b, batch, i, sink, rc == 0 ? NULL : err) != 0)
      return -1;
  }
  if (!is_explained && find_rare_fault(b, batch, sink) != 0)
    return -1;
  int culprit = n_open > 0 ? find_culprit(b, batch, sink) : 0;
  for (size_t k = 0; k < n_open && culprit >= 0; k++) {
    begin_verdict(b, batch, open[k]);
    if (!culprit)
      note_unconfirmed(b, batch, open[k]);
    if (finish(b, batch, open[k], sink, NULL) != 0)
      return -1;
  }
  return culprit < 0 ? -1 : 0;
}

static int run_large(WfGpuBatches *b, const Batch *batch, const WfGpuSink *sink) {
  char err[256];
  for (size_t i = WF_GPU_MAX_JOBS - batch->n_large; i < WF_GPU_MAX_JOBS; i++) {
    if (i > WF_GPU_MAX_JOBS - batch->n_large && sink->is_over(sink->arg)) {
      if (give_up(b, batch, i, sink) != 0)
        return -1;
      continue;
    }
    int rc = run_alone(b, batch, i, sink, err, sizeof err);
    if (finish(b, batch, i, sink, rc == 0 ? NULL : err) != 0)
      return -1;
  }
  return 0;
}

static Batch *sent(WfGpuBatches *b) { return &b->batch[(b->next + WF_GPU_BATCHES - b->n_sent) % WF_GPU_BATCHES]; }

/* Waits for the oldest batch on its way and judges it. 0; -1 */
static int take(WfGpuBatches *b, const WfGpuSink *sink, char *err, size_t err_size) {
  Batch *batch = sent(b);
  if (wf_gpu_wait(b->gpu, batch->answers, err, err_size) != 0)
    return -1;
  int rc = judge(b, batch, sink);
  b->n_sent--;
  return rc;
}

/* Nothing else may be on its way while a job runs by itself. */
static int settle(WfGpuBatches *b, const WfGpuSink *sink, char *err, size_t err_size) {
  while (b->n_sent > 0)
    if (take(b, sink, err, err_size) != 0)
      return -1;
  for (unsigned k = 0; k < WF_GPU_BATCHES; k++) {
    Batch *batch = &b->batch[k];
    if (run_suspects(b, batch, sink) != 0 || run_large(b, batch, sink) != 0)
      return -1;
    batch->n_suspects = batch->n_large = 0;
  }
  return 0;
}

/* Sends a batch that was chosen, and waits for the one before. Returns how many jobs were sent, or -1. */
static int send(WfGpuBatches *b, Batch *batch, const WfGpuSink *sink, char *err, size_t err_size) {
  int n = wf_gpu_submit(b->gpu, batch->jobs, batch->n, err, err_size);
  if (n <= 0)
    return -1;
  batch->n_left = batch->n - (size_t)n;
  batch->n = (size_t)n;
  b->next = (b->next + 1) % WF_GPU_BATCHES;
  b->n_sent++;
  return b->n_sent == WF_GPU_BATCHES && take(b, sink, err, err_size) != 0 ? -1 : n;
}

int wf_gpu_batches_step(WfGpuBatches *b, uint64_t runs, const WfGpuSink *sink, char *err, size_t err_size) {
  Batch *batch = &b->batch[b->next];
  err[0] = '\0';
  if (runs == 0)
    return settle(b, sink, err, err_size);
  choose(b, batch, runs);
  int n = batch->n > 0 ? send(b, batch, sink, err, err_size) : 0, large = (int)batch->n_large;
  if (n < 0)
    return -1;
  int unsettled = large;
  for (unsigned k = 0; k < WF_GPU_BATCHES; k++)
    unsettled += b->batch[k].n_suspects > 0;
  return unsettled && settle(b, sink, err, err_size) != 0 ? -1 : n + large;
}
