/* run_gpu.c - verdicts of a device. It says less than the engine does: no sites, no races as such; what it shows are results,
 * guards, inputs, errors of the device, and other bits on a repeat. */
#define _POSIX_C_SOURCE 200809L
#include "run_gpu.h"
#include "arith.h"
#include "number.h"
#include "run_impl.h"
#include "situations.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What outputs and scratch memory hold in every second run: finite, so that who reads it gets another result than with a NaN. */
#define PATTERN_OTHER 0x7f7fc0deu

enum {
  /* Runs after the first, of a case that is looked at closely, and of one in ARBITRARY_PERIOD others. ARBITRARY_: a race that shows
   * in one run of a thousand is not found by a hundred either. */
  ARBITRARY_REPEATS = 6,
  ARBITRARY_CLOSER_REPEATS = 2, /* with other poison, and disturbed */
  MAX_DEATHS = 8, /* of a process that does not die of the case */
  ARBITRARY_PERIOD = 8
};

static int is_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

/* One case on the device. */
typedef struct GpuExec {
  WfExec x;
  WfGpuJob job;
} GpuExec;

/* ---- findings ---- */

/* Fills what all findings of a device have. */
static void start(const GpuExec *e, WfFinding *f, SimtClass cls, const char *rule) {
  memset(f, 0, sizeof *f);
  f->op = e->x.c->op;
  f->variant = e->x.variant;
  f->ulp = NAN;
  f->simt.cls = cls;
  f->simt.severity = SIMT_ERROR;
  f->simt.kernel = f->simt.object = "";
  f->simt.rule = rule;
  f->simt.count = 1;
}

static void add(const GpuExec *e, WfFinding *f) {
  f->device = e->x.device;
  f->build = e->x.build;
  wf_verdict_add(e->x.out, f);
}

static void add_error(const GpuExec *e, SimtClass cls, const char *rule, const char *what, const WfDeviceError *error) {
  WfFinding f;
  start(e, &f, cls, rule);
  snprintf(f.simt.detail, sizeof f.simt.detail, "%s: %s (%d)", what, error->name[0] ? error->name : "no name", error->code);
  add(e, &f);
}

/* A device names no argument, and an illegal address may be one of shared or local memory, or of a stack that has run over. */
static int report_fault(const GpuExec *e, const WfDeviceError *error, char *err, size_t err_size) {
  static const char rule[] = "CUDA Runtime API, cudaError_t: the context is lost, and with it all that ran in it";
  switch (error->status) {
  case WF_DEVICE_ADDRESS:
    add_error(e, SIMT_OOB_GLOBAL, rule, "the device stopped the kernel at an illegal address", error);
    return 0;
  case WF_DEVICE_MISALIGNED:
    add_error(e, SIMT_MISALIGNED, rule, "the device stopped the kernel at a misaligned address", error);
    return 0;
  case WF_DEVICE_ASSERT:
    add_error(e, SIMT_TRAP, rule, "an assertion of the kernel failed", error);
    return 0;
  case WF_DEVICE_TRAP:
    add_error(e, SIMT_TRAP, rule, "the kernel ended by an exception", error);
    return 0;
  case WF_DEVICE_TIMEOUT:
    add_error(e, SIMT_HANG, rule, "the driver ended the kernel, which took too long", error);
    return 0;
  case WF_DEVICE_OK:
  case WF_DEVICE_REFUSED:
  case WF_DEVICE_LOST:
    break;
  }
  snprintf(err, err_size, "the device failed: %s (%d)", error->name, error->code);
  return -1;
}

static void report_hang(const GpuExec *e) {
  WfFinding f;
  start(e, &f, SIMT_HANG, "a launch ends");
  snprintf(f.simt.detail, sizeof f.simt.detail, "the kernel had not ended when its time was over, and was killed");
  add(e, &f);
}

static void report_death(const GpuExec *e, int status) {
  WfFinding f;
  start(e, &f, SIMT_LAUNCH_ERROR, "host code that launches goes on");
  if (WIFEXITED(status))
    snprintf(f.simt.detail, sizeof f.simt.detail, "the host code that launches ended itself by exit(%d)", WEXITSTATUS(status));
  else
    snprintf(f.simt.detail, sizeof f.simt.detail, "the host code that launches died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  add(e, &f);
}

/* A guard word was written: by whom is not known, but which buffer it guards is. */
static void report_guard(const GpuExec *e, const WfGpuDamage *d) {
  WfFinding f;
  start(e, &f, SIMT_OOB_GLOBAL, "a kernel writes inside of the buffers it is given");
  f.simt.object = d->object;
  f.simt.offset_bytes = d->offset_bytes;
  f.simt.size_bytes = sizeof d->now;
  f.simt.count = d->n_words;
  snprintf(f.simt.detail, sizeof f.simt.detail, "memory %s '%.40s' was written: 0x%08x is there", d->offset_bytes < 0 ? "in front of" : "behind",
           d->object, d->now);
  wf_finding_locate(e->x.c, &f.simt);
  add(e, &f);
}

/* Has the half of the word at element i, its lower one, changed? By its bits: -0 is not 0, and a NaN is what it was. */
static int lower_has_changed(const WfExec *x, int t, int64_t i, uint32_t now) {
  return (uint16_t)now != wf_dtype_encode(x->c->dtype[t], wf_case_value(x->c, t, i));
}

static void report_input(const GpuExec *e, const WfGpuDamage *d) {
  char where[WF_ELEMENT_TEXT], was_text[WF_NUMBER_SIZE], is_text[WF_NUMBER_SIZE];
  const WfExec *x = &e->x;
  WfBadSet bad;
  WfFinding f;
  float now;
  int t = 0;
  while (t + 1 < x->c->op->n_tensors && strcmp(x->c->op->tensors[t].name, d->object) != 0)
    t++;
  wf_bad_init(&bad, x->c->op, t, x->c->dim);
  bad.dtype = x->c->dtype[t];
  /* The word that begins with the element, or, where only its other half has changed, with the one before. */
  int64_t first = d->offset_bytes / (int64_t)wf_dtype_bytes(bad.dtype);
  memcpy(&now, &d->now, sizeof now);
  if (bad.dtype != WF_F32) {
    int other = d->offset_bytes < 0 || !lower_has_changed(x, t, first, d->now);
    first = d->offset_bytes < 0 ? 0 : first + other;
    now = wf_dtype_decode(bad.dtype, (uint16_t)(d->now >> 16 * other));
  }
  wf_bad_mark(&bad, first);
  float was = wf_case_value(x->c, t, bad.first);
  wf_bad_finding(&f, &bad, SIMT_INPUT_WRITTEN, "the kernel must leave its inputs as they were", was, now);
  f.op = x->c->op;
  f.variant = x->variant;
  f.n_bad = (int64_t)d->n_words;
  memset(f.map, 0, sizeof f.map); /* only the first is known */
  snprintf(f.simt.detail, sizeof f.simt.detail, "input %s changed from %s to %s", wf_element_text(&bad, bad.first, where),
           wf_number_print_float(was_text, was), wf_number_print_float(is_text, now));
  add(e, &f);
}

/* ---- answers ---- */

/* Of an output that was not read back whole. */
static void report_unseen(const GpuExec *e, uint64_t missing) {
  WfFinding f;
  start(e, &f, SIMT_UNWRITTEN_OUTPUT, "every element of the output must be written");
  f.simt.object = e->x.c->op->tensors[e->x.output].name;
  f.simt.count = missing;
  snprintf(f.simt.detail, sizeof f.simt.detail, "%llu elements of %s were not written, none of those that were looked at",
           (unsigned long long)missing, f.simt.object);
  add(e, &f);
}

/* Bad elements of the output by what it holds: nothing but poison. */
static int report_unwritten(GpuExec *e, const float *y, uint64_t missing) {
  WfExec *x = &e->x;
  size_t n = x->n_elems[x->output];
  WfAttempt *a = &x->first;
  a->y = (float *)y;
  a->unwritten = wf_array_room(&x->runner->unwritten[0], n, 1);
  if (!a->unwritten || wf_exec_reference(x) != 0)
    return -1;
  const float unwritten = wf_dtype_patterned(x->c->dtype[x->output], e->job.pattern);
  size_t seen = 0;
  for (size_t i = 0; i < n; i++)
    seen += a->unwritten[i] = memcmp(&y[i], &unwritten, sizeof y[i]) == 0;
  if (seen > 0)
    wf_report_unwritten(x, a);
  else
    report_unseen(e, missing);
  return 0;
}

/* What an answer says without the oracle; 1: there are results to judge, 0: not, -1 with a message. */
static int take_answer(GpuExec *e, const WfGpuAnswer *a, char *err, size_t err_size) {
  switch (a->end) {
  case WF_GPU_RAN:
    break;
  case WF_GPU_FAULT:
    return report_fault(e, &a->error, err, err_size);
  case WF_GPU_HUNG:
    e->x.out->no_verdict |= e->job.slice != NULL; /* with so much to do, it may have been at work */
    if (!e->job.slice)
      report_hang(e);
    return 0;
  case WF_GPU_DIED:
    report_death(e, a->error.code);
    return 0;
  case WF_GPU_NOT_BUILT:
    snprintf(err, err_size, "it is not built for the device in the flavor %s", wf_gpu_flavor_name(e->job.flavor));
    return -1;
  case WF_GPU_NO_ROOM:
    e->x.out->no_verdict = 1;
    return 0;
  case WF_GPU_UNKNOWN: /* only in company */
    snprintf(err, err_size, "no answer of the device");
    return -1;
  }
  if (a->launch.status != WF_DEVICE_OK) {
    add_error(e, SIMT_LAUNCH_ERROR, "the device refuses such a launch (CUDA C++ Programming Guide, Compute Capabilities)",
              "the launch did not take place", &a->launch);
    return 0;
  }
  for (int t = 0; t < e->x.c->op->n_tensors && !e->job.slice; t++)
    e->x.values[t] = a->in[t];
  if (a->guard.n_words)
    report_guard(e, &a->guard);
  if (a->input.n_words)
    report_input(e, &a->input);
  if (a->unwritten && report_unwritten(e, a->y, a->unwritten) != 0) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  return 1;
}

/* ---- repeats ---- */

static int same_value(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

/* Marks what differs; the number of it. */
static int64_t differences(const WfExec *x, const float *a, const float *b, WfBadSet *bad) {
  wf_exec_bad_init(x, bad, x->output);
  for (size_t i = 0; i < x->n_elems[x->output]; i++)
    if (!same_value(a[i], b[i]))
      wf_bad_mark(bad, (int64_t)i);
  return bad->count;
}

static void report_difference(const GpuExec *e, SimtClass cls, const char *rule, const WfBadSet *bad, const float *a, const float *b,
                              const char *format) {
  char where[WF_ELEMENT_TEXT], first_text[WF_NUMBER_SIZE], second_text[WF_NUMBER_SIZE];
  WfFinding f;
  float first = a[bad->first], second = b[bad->first];
  wf_bad_finding(&f, bad, cls, rule, first, second);
  f.op = e->x.c->op;
  f.variant = e->x.variant;
  snprintf(f.simt.detail, sizeof f.simt.detail, format, wf_element_text(bad, bad->first, where),
           wf_number_print_float(first_text, first), wf_number_print_float(second_text, second));
  add(e, &f);
}

static int run_job(GpuExec *e, WfGpuAnswer *a, char *err, size_t err_size) {
  WfGpu *gpu = e->x.runner->gpu;
  e->x.out->runs++;
  return wf_gpu_submit(gpu, &e->job, 1, err, err_size) < 0 || wf_gpu_wait(gpu, a, err, err_size) != 0 ? -1 : 0;
}

/* One run more. 1: the results are in *a; 0: it ended otherwise; -1 with a message. A process may also die for reasons of its own, of
 * which SIGKILL is always one: only what dies a second time is to blame. */
static int run_again(GpuExec *e, uint32_t pattern, uint64_t disturb, WfGpuAnswer *a, char *err, size_t err_size) {
  e->job.pattern = pattern;
  e->job.disturb = disturb;
  int rc = run_job(e, a, err, err_size), status = -1;
  if (rc == 0 && a->end == WF_GPU_HUNG && e->x.opt->patient) {
    e->job.patient = 1;
    rc = run_job(e, a, err, err_size);
    e->job.patient = 0;
  }
  for (int i = 0; i < MAX_DEATHS && rc == 0 && a->end == WF_GPU_DIED && (a->error.code != status || is_killed(a->error.code)); i++) {
    status = a->error.code;
    rc = run_job(e, a, err, err_size);
  }
  if (rc == 0 && a->end == WF_GPU_DIED && is_killed(a->error.code)) {
    snprintf(err, err_size, "the process with the device is killed again and again");
    return -1;
  }
  return rc == 0 ? take_answer(e, a, err, err_size) : -1;
}

/* Another result with another poison: does it depend on the poison, both results coming again with theirs? */
static int depends_on_poison(GpuExec *e, const float *first, const float *other, char *err, size_t err_size) {
  const uint32_t patterns[] = {WF_PATTERN_OUTPUT, PATTERN_OTHER, WF_PATTERN_OUTPUT, PATTERN_OTHER};
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
    WfGpuAnswer a;
    WfBadSet bad;
    int rc = run_again(e, patterns[i], 0, &a, err, err_size);
    if (rc <= 0)
      return rc;
    if (differences(&e->x, i % 2 ? other : first, a.y, &bad) > 0)
      return 0;
  }
  return 1;
}

static int judge(GpuExec *e, const float *y, char *err, size_t err_size) {
  if (wf_exec_judge(&e->x, y) == 0)
    return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

/* A result that differs from the first: whose fault it is, or whether it is right as well. */
static int take_difference(GpuExec *e, const WfBadSet *bad, const float *first, const float *y, char *err, size_t err_size) {
  WfExec *x = &e->x;
  size_t n = x->n_elems[x->output];
  float *other = wf_array_room(&x->runner->y[1], n, sizeof *other);
  if (!other) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  memcpy(other, y, n * sizeof *other);
  uint32_t pattern = e->job.pattern;
  int poison = pattern == PATTERN_OTHER ? depends_on_poison(e, first, other, err, err_size) : 0;
  if (poison < 0)
    return -1;
  if (poison)
    report_difference(e, SIMT_UNINIT_GLOBAL, "a value nobody wrote must not reach an output", bad, first, other,
                      "%s is %s, and %s when the memory that nobody wrote holds other bits");
  else if (x->variant->flags & WF_DETERMINISTIC)
    report_difference(e, SIMT_NONDETERMINISTIC, "the variant promises the same bits under every schedule", bad, first, other,
                      "%s is %s in one run on the device and %s in another");
  return poison || x->out->errors ? 0 : judge(e, other, err, err_size); /* other bits are allowed, wrong ones are not */
}

static int repeat(GpuExec *e, const float *first, unsigned n, char *err, size_t err_size) {
  for (unsigned i = 1; i <= n && !e->x.out->errors; i++) {
    uint64_t seed = e->x.c->schedule + i;
    WfGpuAnswer a;
    WfBadSet bad;
    int rc = run_again(e, i % 2 ? PATTERN_OTHER : WF_PATTERN_OUTPUT, i == 1 ? 0 : wf_split_mix(&seed) | 1, &a, err, err_size);
    if (rc < 0)
      return -1;
    if (rc == 0 || e->x.out->errors)
      return 0;
    if (differences(&e->x, first, a.y, &bad) > 0 && take_difference(e, &bad, first, a.y, err, err_size) != 0)
      return -1;
  }
  return 0;
}

/* ---- relations ---- */

/* WfExec.again. What the device shows of the changed input but its results is left to cases of its own: a report could not show it. */
static int run_changed(WfExec *x) {
  GpuExec *e = (GpuExec *)x; /* whose first member it is */
  char err[256];
  WfGpuAnswer a;
  e->job.values = x->values;
  e->job.pattern = WF_PATTERN_OUTPUT;
  e->job.disturb = 0;
  int rc = run_job(e, &a, err, sizeof err);
  e->job.values = NULL;
  if (rc != 0)
    return -1;
  if (a.end != WF_GPU_RAN || a.launch.status != WF_DEVICE_OK || a.unwritten)
    return 0;
  memcpy(x->probe.y, a.y, x->n_elems[x->output] * sizeof *a.y);
  return 1;
}

/* x->values, as the first run had them, are in memory that later ones use. */
static int keep_values(WfExec *x) {
  for (int t = 0; t < x->c->op->n_tensors; t++) {
    if (x->c->op->tensors[t].role != WF_IN)
      continue;
    float *host = wf_array_room(&x->runner->values[t], x->n_elems[t], sizeof *host);
    if (!host)
      return -1;
    wf_case_values(x->c, t, host);
    x->values[t] = host;
  }
  return 0;
}

static int check_relations(GpuExec *e, float *first, char *err, size_t err_size) {
  WfExec *x = &e->x;
  x->again = run_changed;
  x->first.y = first;
  x->probe.y = wf_array_room(&x->runner->y[2], x->n_elems[x->output], sizeof *x->probe.y);
  if (x->probe.y && keep_values(x) == 0 && wf_check_relations(x) == 0)
    return 0;
  snprintf(err, err_size, "out of memory, or the device failed");
  return -1;
}

/* ---- the whole ---- */

void wf_gpu_job(const WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, WfGpuJob *out) {
  *out = (WfGpuJob){.c = c, .v = v, .g = *g, .flavor = r->flavor, .pattern = WF_PATTERN_OUTPUT};
}

void wf_gpu_exec_begin(WfExec *x, WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfRunOptions *opt,
                       WfVerdict *out) {
  memset(x, 0, sizeof *x);
  x->runner = r;
  x->c = c;
  x->variant = v;
  x->opt = opt;
  x->out = out;
  x->flavor = r->flavor;
  x->device = r->device_text;
  x->build = wf_gpu_flavor_name(r->flavor);
  x->output = wf_output_tensor(c->op);
  memcpy(x->dim, c->dim, sizeof x->dim);
  for (int t = 0; t < c->op->n_tensors; t++)
    x->n_elems[t] = (size_t)wf_case_elems(c, t);
  wf_exec_depth(x, g);
}

/* The first run and, where it is right, those after it. 0, or -1 with a message. */
static int run_all(GpuExec *e, char *err, size_t err_size) {
  WfExec *x = &e->x;
  WfGpuAnswer a;
  size_t n = x->n_elems[x->output];
  float *first = wf_array_room(&x->runner->y[0], n, sizeof *first);
  if (!first) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  int rc = run_again(e, WF_PATTERN_OUTPUT, 0, &a, err, err_size);
  if (rc == 1 && x->runner->backend == WF_BACKEND_GPU)
    x->out->situations = wf_situations(x->c, x->variant, &e->job.g, x->dim, x->values);
  if (rc <= 0 || x->out->errors)
    return rc < 0 ? -1 : 0;
  memcpy(first, a.y, n * sizeof *first);
  if (judge(e, first, err, err_size) != 0)
    return -1;
  if (x->opt->once)
    return 0;
  unsigned repeats = x->opt->all_relations ? ARBITRARY_REPEATS
                     : x->opt->repeated    ? ARBITRARY_CLOSER_REPEATS
                                           : x->c->schedule % ARBITRARY_PERIOD == 0;
  rc = x->out->errors ? 0 : repeat(e, first, repeats, err, err_size);
  return rc != 0 || x->out->errors || x->slice ? rc : check_relations(e, first, err, err_size);
}

/* Operations that a case may take of which all blocks run: a device does some 10^12 a second of simple ones. */
#define ARBITRARY_LARGE_WORK ((int64_t)1 << 36)

/* WfOp.work; INT64_MAX: more. */
static int64_t case_work(const WfCase *c, const WfGeometry *g) {
  const WfVars vars = {c->op, c->dim, g->grid, g->block, 0, NULL};
  int64_t work = 1;
  if (c->op->work)
    return wf_expr_eval(c->op->work, &vars, &work, NULL, 0) == 0 ? work : INT64_MAX;
  for (int i = 0; i < c->op->n_dims; i++)
    if (__builtin_mul_overflow(work, c->dim[i], &work))
      return INT64_MAX;
  return work;
}

/* Of a case that is too large to come back whole: what the blocks own that the engine would run. 1; 0: there is no telling, or it
 * is too much; -1: out of memory. */
static int take_slices(GpuExec *e, const WfGeometry *g) {
  WfExec *x = &e->x;
  if (case_work(x->c, g) > ARBITRARY_LARGE_WORK)
    return 0;
  if (wf_sparse_begin(x, g) != 0)
    return -1;
  if (!x->slice)
    return 0;
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (wf_sparse_host(x, t) != 0)
      return -1;
  e->job.slice = x->slice;
  e->job.n_slices = x->n_slices;
  return wf_gpu_fits(x->runner->gpu, &e->job);
}

int wf_run_gpu(WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfRunOptions *opt, WfVerdict *out,
               char *err, size_t err_size) {
  char message[256];
  GpuExec e;
  uint32_t engine = out->errors;
  wf_gpu_exec_begin(&e.x, r, c, v, g, opt, out);
  wf_gpu_job(r, c, v, g, &e.job);
  int fits = wf_gpu_fits(r->gpu, &e.job) ? 1 : take_slices(&e, g);
  if (fits <= 0) {
    out->no_verdict |= !engine;
    if (fits < 0 && err && err_size > 0)
      snprintf(err, err_size, "out of memory");
    return fits;
  }
  out->errors = 0; /* what explains what is told apart on each machine by itself */
  int rc = run_all(&e, message, sizeof message);
  out->errors |= engine;
  if (rc != 0 && err && err_size > 0)
    snprintf(err, err_size, "%s", message);
  return rc;
}
