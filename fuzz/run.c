/* run.c - one variant on one case: engine runs first, then the oracle, if nothing explains wrong values already. */
#include "arith.h"
#include "run_gpu.h"
#include "run_impl.h"
#include "situations.h"
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))
#define RACES (BIT(SIMT_RACE_WARP) | BIT(SIMT_RACE_SHARED) | BIT(SIMT_RACE_GLOBAL))
#define WRONG_VALUES (BIT(SIMT_WRONG_SPECIAL) | BIT(SIMT_WRONG_RESULT))

int wf_runner_create(WfRunner **out) {
  WfRunner *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r)
    return -1;
  if (simt_create(&r->simt) != 0) {
    free(r);
    return -1;
  }
  *out = r;
  return 0;
}

void wf_runner_destroy(WfRunner *r) {
  if (!r)
    return;
  simt_destroy(r->simt);
  for (int t = 0; t < WF_MAX_TENSORS; t++) {
    wf_array_free(&r->values[t]);
    wf_array_free(&r->changed[t]);
  }
  for (size_t i = 0; i < sizeof r->y / sizeof r->y[0]; i++)
    wf_array_free(&r->y[i]);
  wf_array_free(&r->slices);
  for (size_t i = 0; i < sizeof r->unwritten / sizeof r->unwritten[0]; i++)
    wf_array_free(&r->unwritten[i]);
  WfArray *single[] = {&r->ref, &r->bound, &r->at, &r->moved, &r->moved_ref, &r->moved_bound, &r->changed_bound};
  for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
    wf_array_free(single[i]);
  for (size_t i = 0; i < WF_KNOWN_REFS; i++) {
    wf_array_free(&r->known[i].ref);
    wf_array_free(&r->known[i].bound);
  }
  free(r);
}

void wf_runner_use(WfRunner *r, WfBackend backend, WfGpu *gpu, WfGpuFlavor flavor) {
  r->backend = backend;
  r->gpu = gpu;
  r->flavor = flavor;
  r->device_text[0] = '\0';
  if (backend == WF_BACKEND_SIMT)
    return;
  const WfDeviceInfo *d = wf_gpu_info(gpu);
  snprintf(r->device_text, sizeof r->device_text, "%s, compute capability %d.%d, CUDA %d.%d", d->name, d->major, d->minor,
           d->runtime / 1000, d->runtime % 1000 / 10);
}

const char *wf_runner_device(const WfRunner *r) { return r->device_text; }

/* The variant's host code, for simt_call(). */
static void enter(void *exec) {
  const WfExec *x = exec;
  x->variant->entry(&x->args);
}

void wf_exec_attempt(WfExec *x, WfAttempt *a) {
  wf_exec_restore(x, a->pattern);
  memset(&a->stats, 0, sizeof a->stats);
  simt_begin(x->runner->simt, &a->run);
  simt_call(x->runner->simt, enter, x);
  simt_end(x->runner->simt, &a->stats);
  wf_exec_fetch(x, a->y);
  x->out->runs++;
}

/* What the engine cannot know: the shape of a tensor, and of what type it is. */
void wf_finding_locate(const WfCase *c, SimtFinding *f) {
  WfBadSet shape;
  for (int t = 0; t < c->op->n_tensors; t++) {
    if (strcmp(c->op->tensors[t].name, f->object) != 0 || f->element[0] || f->size_bytes == 0)
      continue;
    int64_t size = (int64_t)wf_dtype_bytes(c->dtype[t]), index = f->offset_bytes / size - (f->offset_bytes % size < 0);
    wf_bad_init(&shape, c->op, t, c->dim);
    wf_element_index(&shape, index, f->element, sizeof f->element);
  }
}

void wf_exec_take_findings(WfExec *x, uint32_t classes) {
  size_t n;
  const SimtFinding *found = simt_findings(x->runner->simt, &n);
  for (size_t i = 0; i < n; i++) {
    WfFinding f;
    if (!(classes >> found[i].cls & 1))
      continue;
    memset(&f, 0, sizeof f);
    f.simt = found[i];
    f.op = x->c->op;
    f.variant = x->variant;
    if (f.simt.cls != SIMT_OOB_LOCAL)
      wf_finding_locate(x->c, &f.simt);
    wf_verdict_add(x->out, &f);
  }
}

/* Everything that one schedule shows without the oracle. 0, or -1: out of memory. */
static int examine(WfExec *x, WfAttempt *a, uint64_t schedule, int reverse_blocks) {
  a->run = (SimtRun){.schedule = schedule,
                     .detect = x->opt->detect,
                     .fill = WF_PATTERN_FILL,
                     .max_steps = x->opt->max_steps,
                     .reverse_blocks = reverse_blocks};
  if (x->slice) {
    a->run.blocks = x->plan.block;
    a->run.n_blocks = x->plan.n_blocks;
  }
  a->pattern = WF_PATTERN_OUTPUT;
  wf_exec_attempt(x, a);
  wf_exec_take_findings(x, wf_exec_classes(x));
  if (x->out->errors & BIT(SIMT_LAUNCH_ERROR))
    return 0; /* what was not launched wrote nothing */
  if (!a->stats.abandoned) {
    wf_check_inputs(x);
    wf_check_ownership(x);
    if (wf_check_unwritten(x, a) != 0)
      return -1;
  }
  wf_check_poison(x, a);
  return 0;
}

/* Another seed, a pure function of the first; never 0, which would mean no preemption. */
static uint64_t second_schedule(uint64_t seed) {
  uint64_t other = wf_split_mix(&seed);
  return other != 0 ? other : 1;
}

void wf_exec_judging(const WfExec *x, const float *y, WfJudge *j) {
  *j = (WfJudge){.op = x->c->op,
                 .variant = x->variant,
                 .dim = x->dim,
                 .slice = wf_exec_slices(x, x->output),
                 .y = y,
                 .ref = x->ref,
                 .bound = x->bound,
                 .n_elems = (int64_t)x->n_elems[x->output],
                 .dtype = x->c->dtype[x->output],
                 .rtol = x->opt->rtol,
                 .atol = x->opt->atol,
                 .device = x->device,
                 .build = x->build};
}

static void check_invariant(WfExec *x, const float *y) {
  char msg[sizeof((SimtFinding *)0)->detail] = "";
  WfRefArgs a;
  WfBadSet bad;
  WfFinding f;
  wf_ref_args(x, &a);
  int64_t i = x->c->op->invariant(&a, y, msg, sizeof msg);
  if (i < 0)
    return;
  wf_exec_bad_init(x, &bad, x->output);
  wf_bad_mark(&bad, i);
  wf_bad_finding(&f, &bad, SIMT_WRONG_RESULT, "an invariant of the op must hold", x->ref[i], y[i]);
  f.variant = x->variant;
  f.device = x->device;
  f.build = x->build;
  f.bound = x->bound[i];
  memcpy(f.simt.detail, msg, sizeof msg);
  wf_verdict_add(x->out, &f);
}

int wf_exec_is_exact(const WfExec *x) {
  int is_zero = 1;
  if (!x->c->op->exact)
    return 0;
  for (size_t i = 0; i < x->n_elems[x->output]; i++) {
    if (x->bound[i] != 0)
      return 0;
    is_zero &= x->ref[i] == 0;
  }
  return !is_zero;
}

int wf_exec_judge(WfExec *x, const float *y) {
  WfJudge j;
  if (wf_exec_reference(x) != 0)
    return -1;
  wf_exec_judging(x, y, &j);
  wf_judge(&j, x->out);
  x->out->situations |= wf_exec_is_exact(x) ? 1u << WF_EXACT : 0;
  int is_widened = x->opt->rtol > 0 || x->opt->atol > 0;
  if (x->c->op->invariant && !is_widened && !(x->out->errors & WRONG_VALUES))
    check_invariant(x, y);
  return 0;
}

static int judge_runs(WfExec *x) {
  if (wf_exec_judge(x, x->first.y) != 0)
    return -1;
  if (x->second.stats.abandoned || wf_check_schedules(x) == 0 || (x->variant->flags & WF_DETERMINISTIC))
    return 0;
  return wf_exec_judge(x, x->second.y); /* other bits are allowed, wrong ones are not */
}

/* All but the relations. *judged: the outputs were compared with the reference. */
static int run_schedules(WfExec *x, int *judged) {
  *judged = 0;
  if (examine(x, &x->first, x->c->schedule, 0) != 0)
    return -1;
  x->out->stats = x->first.stats;
  if (x->first.stats.abandoned || (x->out->errors & (RACES | BIT(SIMT_LAUNCH_ERROR))))
    return 0;
  if (examine(x, &x->second, second_schedule(x->c->schedule), 1) != 0)
    return -1;
  if (x->out->errors)
    return 0; /* wrong values and other bits would be consequences of these */
  *judged = 1;
  return judge_runs(x);
}

/* The bad elements of tensors: which line of the kernel they come from. The last attempt is asked, the threads of whose
 * schedule they are. */
static void note_writers(WfExec *x) {
  for (size_t i = 0; i < x->out->n; i++) {
    WfFinding *f = &x->out->finding[i];
    for (int t = 0; f->has_value && t < x->c->op->n_tensors; t++)
      if (strcmp(x->c->op->tensors[t].name, f->simt.object) == 0)
        simt_last_write(x->runner->simt, wf_exec_element(x, t, (size_t)f->index), &f->writer);
  }
}

/* What was seen in the output alone has the geometry of the launch, where there was one. */
static void note_launch(WfExec *x) {
  const SimtStats *stats = &x->out->stats;
  for (size_t i = 0; i < x->out->n; i++) {
    SimtFinding *f = &x->out->finding[i].simt;
    if (stats->launches != 1 || f->grid[0] != 0 || f->cls == SIMT_LAUNCH_ERROR)
      continue;
    memcpy(f->grid, stats->grid, sizeof f->grid);
    memcpy(f->launch_block, stats->launch_block, sizeof f->launch_block);
    f->shared_bytes = stats->shared_bytes;
  }
}

static int run_case(WfExec *x) {
  int judged, rc = run_schedules(x, &judged);
  note_writers(x); /* relations run other inputs */
  x->out->no_verdict = !x->out->errors && (x->out->stats.abandoned || x->second.stats.abandoned);
  rc = rc == 0 && judged && !x->out->errors ? wf_check_relations(x) : rc;
  note_launch(x);
  return rc;
}

/* The key is a hash of the printed case, too dear for the many executions that find nothing. */
static void set_circumstances(WfVerdict *out, const WfCase *c, const WfRunOptions *opt) {
  if (out->n + out->n_meant == 0)
    return;
  uint64_t key = wf_case_key(c);
  for (size_t i = 0; i < out->n + out->n_meant; i++) {
    WfFinding *f = i < out->n ? &out->finding[i] : &out->meant_race[i - out->n];
    f->key = key;
    f->has_scalars = 1;
    memcpy(f->scalar, c->scalar, sizeof f->scalar);
    f->rtol = opt->rtol;
    f->atol = opt->atol;
    memcpy(f->outside, out->outside, sizeof f->outside);
  }
}

static void say(char *err, size_t err_size, const char *text) {
  if (err && err_size > 0)
    snprintf(err, err_size, "%s", text);
}

static int run_engine(WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfRunOptions *opt,
                      WfVerdict *out) {
  WfExec x;
  memset(&x, 0, sizeof x);
  x.runner = r;
  x.c = c;
  x.variant = v;
  x.opt = opt;
  x.out = out;
  x.output = wf_output_tensor(c->op);
  int rc = wf_exec_memory(&x, g);
  if (rc == 0) {
    out->situations = wf_situations(c, v, g, x.dim, x.values);
    rc = run_case(&x);
  }
  simt_free_all(r->simt);
  return rc;
}

int wf_run(WfRunner *r, const WfCase *c, const WfVariant *v, const WfRunOptions *opt, WfVerdict *out, char *err,
           size_t err_size) {
  WfGeometry g;
  int rc = 0;
  memset(out, 0, sizeof *out);
  if (!wf_case_admits(c, v, &g, out->outside, sizeof out->outside)) {
    say(err, err_size, out->outside);
    if (!opt->outside || !wf_case_launch(c, v, &g, err, err_size))
      return -2;
  }
  if (r->backend != WF_BACKEND_GPU && (rc = run_engine(r, c, v, &g, opt, out)) != 0)
    say(err, err_size, "out of memory");
  if (rc == 0 && r->backend != WF_BACKEND_SIMT)
    rc = wf_run_gpu(r, c, v, &g, opt, out, err, err_size);
  set_circumstances(out, c, opt);
  return rc;
}
