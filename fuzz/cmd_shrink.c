/* cmd_shrink.c - warpfuzz shrink: a smaller case with the same finding. */
#define _POSIX_C_SOURCE 200809L
#include "case_files.h"
#include "cli.h"
#include "out_file.h"
#include "shrink.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Task {
  const WfOptions *o;
  const char *path;
  WfCase c;
  WfLimits limits; /* --dims */
  WfRunner *runner;
  WfGpu *gpu;
  WfVerdict tried;          /* of the variant that was run last */
  WfVerdict verdict;        /* of the one that shows the finding */
  const WfFinding *finding; /* in it; NULL: none so far */
  int n_run;                /* variants that were run */
  WfShrunk shrunk;
  int live, n_tried; /* stderr is a terminal; executions so far */
} Task;

/* ---- what to shrink ---- */

/* How much a finding is the one to shrink: of the class asked for; else an expected error, an error, a warning. 0: not at all. */
static int claim(const Task *t, const WfFinding *f) {
  if (t->o->cls != SIMT_CLASS_COUNT) return f->simt.cls == t->o->cls;
  if (f->simt.severity != SIMT_ERROR) return 1;
  return t->c.expect >> f->simt.cls & 1 ? 3 : 2;
}

static const WfFinding *choose(const Task *t, const WfVerdict *v) {
  const WfFinding *best = NULL;
  for (size_t i = 0; i < v->n; i++)
    if (claim(t, &v->finding[i]) > (best ? claim(t, best) : 0)) best = &v->finding[i];
  return best;
}

/* Runs the variant, if it may be run, and takes what it shows over what is there. WF_EXIT_CLEAN; WF_EXIT_NOTHING: it may not, with
 * a note when `note`; WF_EXIT_HARNESS. */
static int try_variant(Task *t, const WfVariant *v, int note) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL,
                            .rtol = t->o->rtol,
                            .atol = t->o->atol,
                            .outside = t->o->outside,
                            .all_relations = 1};
  char err[WF_CASE_ERROR_MAX];
  WfGeometry g;
  wf_watch_begin(t->path, v->name);
  int rc = wf_run(t->runner, &t->c, v, &opt, &t->tried, err, sizeof err);
  if (rc == -2 && note)
    wf_say("%s: %s/%s does not admit it: %s%s", t->path, t->c.op->name, v->name, err,
            t->o->outside || !wf_case_launch(&t->c, v, &g, NULL, 0) ? "" : " (--outside runs it all the same)");
  if (rc == -2) return WF_EXIT_NOTHING;
  if (rc != 0) {
    wf_say("warpfuzz: %s: %s: %s", t->path, v->name, err);
    return WF_EXIT_HARNESS;
  }
  t->n_run++;
  const WfFinding *found = choose(t, &t->tried);
  if (!found || (t->finding && claim(t, found) <= claim(t, t->finding))) return WF_EXIT_CLEAN;
  t->verdict = t->tried;
  t->finding = choose(t, &t->verdict);
  return WF_EXIT_CLEAN;
}

/* --variant; it must be one. */
static int try_named(Task *t) {
  WfTarget *targets;
  size_t n;
  char err[1024];
  int rc = wf_select(&t->o->variant, 1, 1, &targets, &n, err, sizeof err);
  if (rc == -1) return wf_out_of_memory();
  if (rc != 0) return wf_usage(err);
  const WfTarget first = n ? targets[0] : (WfTarget){NULL, NULL};
  free(targets);
  if (n != 1) return wf_usage("shrink: --variant must name one variant");
  if (first.op != t->c.op) return wf_usage("shrink: --variant is of another op than the case");
  return try_variant(t, first.variant, 1);
}

static int find(Task *t) {
  if (t->o->variant) return try_named(t);
  if (t->c.variant) {
    int status = try_variant(t, t->c.variant, 1);
    return status == WF_EXIT_NOTHING ? WF_EXIT_USAGE : status; /* it contradicts itself */
  }
  int status = WF_EXIT_CLEAN;
  for (size_t i = 0; i < t->c.op->n_variants && status != WF_EXIT_HARNESS; i++) {
    const WfVariant *v = &t->c.op->variants[i];
    if (v->expect == 0 && wf_case_admits(&t->c, v, NULL, NULL, 0)) status = try_variant(t, v, 0);
  }
  if (t->n_run || status == WF_EXIT_HARNESS) return status;
  wf_say("%s: no clean variant admits it", t->path);
  return WF_EXIT_NOTHING;
}

/* ---- telling ---- */

/* Of several findings in the verdict, which. */
static void print_finding(const Task *t) {
  const WfFinding *f = t->finding;
  char *places = wf_finding_places(f);
  fprintf(stderr, "warpfuzz: %s: %s/%s: %s%s: %s%s%s%s", t->path, f->op->name, f->variant->name,
          f->outside[0] ? "outside the contract: " : "", wf_severity_name(f->simt.severity), simt_class_name(f->simt.cls),
          places && *places ? " (" : "", places ? places : "", places && *places ? ")" : "");
  if (t->verdict.n > 1) fprintf(stderr, ", one of %zu findings", t->verdict.n);
  fputc('\n', stderr);
  free(places);
}

static void print_measure(const WfCase *c, const WfVariant *v) {
  WfGeometry g;
  if (!wf_case_launch(c, v, &g, NULL, 0)) return;
  for (int i = 0; i < c->op->n_dims; i++) fprintf(stderr, "%s %" PRId64 ", ", c->op->dims[i].name, c->dim[i]);
  fprintf(stderr, "grid %" PRIu32 ", block %" PRIu32 ", %" PRIu32 " edit%s", g.grid[0], g.block[0], c->n_edits,
          c->n_edits == 1 ? "" : "s");
}

static void print_shrunk(const Task *t, const WfShrunk *out) {
  fprintf(stderr, "warpfuzz: %" PRIu64 " execution%s: ", out->executions, out->executions == 1 ? "" : "s");
  print_measure(&t->c, t->finding->variant);
  fputs(" -> ", stderr);
  print_measure(&out->c, t->finding->variant);
  fputs(out->is_complete ? "\n" : "; more may be had by shrinking the result\n", stderr);
}

/* ---- the file ---- */

/* Before the work is done: can the file be written? */
static int check_output(const char *path) {
  int reason = path ? wf_out_file_check(path) : 0;
  if (!reason) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s: %s", path, strerror(reason));
  return WF_EXIT_USAGE;
}

/* A case that cannot be written is printed: it may have taken long. */
static int deliver(const Task *t, const WfCase *c) {
  char *text = wf_case_print(c), err[WF_CASE_ERROR_MAX] = "";
  int status = WF_EXIT_CLEAN;
  if (!text) return wf_out_of_memory();
  if (t->o->output && wf_out_file_write(t->o->output, text, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    status = WF_EXIT_HARNESS;
  }
  if (!t->o->output || status != WF_EXIT_CLEAN) fputs(text, stdout);
  free(text);
  return status;
}

/* ---- the command ---- */

/* Large cases take their time: on a terminal, a line that counts. An interrupt, which is blocked, ends it with what there is: the
 * case as it came, if that is all. */
static int watch(void *arg, const WfCase *next) {
  Task *t = arg;
  sigset_t pending;
  (void)next;
  wf_watch_begin(t->path, t->finding->variant->name);
  t->n_tried++;
  if (t->live) fprintf(stderr, "\r%d executions\033[K", t->n_tried);
  return t->n_tried > 1 && sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM));
}

static void block_interrupts(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigprocmask(SIG_BLOCK, &mask, NULL);
}

/* A device may show a race once and not again, which is no failure: then the case stays as it came. */
static int shrink(Task *t) {
  const WfFinding *f = t->finding;
  const WfShrinkOptions opt = {
      .limits = t->o->dims ? &t->limits : NULL, .rtol = t->o->rtol, .atol = t->o->atol, .before = watch, .arg = t};
  print_finding(t);
  block_interrupts();
  t->live = isatty(STDERR_FILENO);
  int rc = wf_shrink(t->runner, &t->c, f, &opt, &t->shrunk);
  wf_watch_begin(NULL, NULL);
  if (t->live) fputs("\r\033[K", stderr);
  if (rc < 0) return wf_out_of_memory();
  if (rc > 0) wf_say("warpfuzz: %s: the finding does not show a second time", t->path);
  if (rc > 0 && !f->device) return WF_EXIT_HARNESS;
  if (rc == 0) print_shrunk(t, &t->shrunk);
  int counts = !f->outside[0] && (t->o->strict || f->simt.severity == SIMT_ERROR);
  return wf_exit_worse(deliver(t, rc == 0 ? &t->shrunk.c : &t->c), counts ? WF_EXIT_FINDINGS : WF_EXIT_CLEAN);
}

/* The case and the limits that it must keep. */
static int prepare(Task *t) {
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(&t->c, t->path, err, sizeof err) != 0) {
    wf_say("%s", err);
    return WF_EXIT_USAGE;
  }
  if (t->o->dims && wf_limits_parse(t->o->dims, &t->c.op, 1, &t->limits, err, sizeof err) != 0) {
    wf_say("warpfuzz: --dims: %s", err);
    return WF_EXIT_USAGE;
  }
  if (t->o->dims && !wf_limits_hold(&t->limits, &t->c)) return wf_usage("shrink: the case is outside --dims itself");
  int status = check_output(t->o->output);
  if (status != WF_EXIT_CLEAN) return status;
  if (wf_runner_create(&t->runner) != 0) {
    wf_say("warpfuzz: " WF_NO_RUNNER);
    return WF_EXIT_HARNESS;
  }
  status = wf_backend_open(t->o, t->runner, &t->gpu);
  if (status != WF_EXIT_CLEAN) return status;
  return wf_watch_self(&t->o->allowed, WF_EXIT_HARNESS) == 0 ? WF_EXIT_CLEAN : wf_out_of_memory();
}

int wf_cmd_shrink(const WfOptions *o) {
  int n_devices, status = wf_backend_check(o, &n_devices);
  if (status != WF_EXIT_CLEAN) return status;
  Task *t = calloc(1, sizeof *t);
  if (!t) return wf_out_of_memory();
  t->o = o;
  t->path = o->operands[0];
  status = prepare(t);
  if (status == WF_EXIT_CLEAN) status = find(t);
  if (status == WF_EXIT_CLEAN && t->finding) status = shrink(t);
  else if (status == WF_EXIT_CLEAN)
    wf_say("warpfuzz: %s: no finding%s%s: nothing to shrink", t->path, o->cls == SIMT_CLASS_COUNT ? "" : " of class ",
            o->cls == SIMT_CLASS_COUNT ? "" : simt_class_name(o->cls));
  if (t->runner) wf_runner_destroy(t->runner);
  wf_gpu_destroy(t->gpu);
  free(t);
  return status;
}
