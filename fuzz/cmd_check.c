/* cmd_check.c - warpfuzz check: makes a program of warpfuzz and one kernel of the user's, and becomes it. The program stays in --out, for
 * replays; everything else that was built is removed. */
#define _DEFAULT_SOURCE
#include "check_plan.h"
#include "cli.h"
#include "case_files.h"
#include "number.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_TIME_S UINT64_C(20)
#define SECOND_NS UINT64_C(1000000000)

/* ---- what was typed ---- */

static void add_option(WfText *t, const char *name, const char *value) {
  if (!value)
    return;
  wf_text_add(t, " --%s ", name);
  wf_text_add_quoted(t, value);
}

/* What the kernel and its contract depend on. */
static char *command_text(const WfOptions *o) {
  static const char *const masked[] = {[WF_MASKED_NAN] = "nan", [WF_MASKED_ZERO] = "zero", [WF_MASKED_UNIFORM] = "uniform"};
  WfText t = {0};
  wf_text_add(&t, "warpfuzz check ");
  wf_text_add_quoted(&t, o->operands[0]);
  for (int i = 0; i < o->n_compile; i++) {
    wf_text_add(&t, " ");
    wf_text_add_quoted(&t, o->compile[i]);
  }
  const char *const option[][2] = {{"op", o->op},         {"launch", o->launch},     {"dtype", o->dtype},
                                   {"arith", o->arith},   {"block", o->block},
                                   {"grid", o->grid},     {"shared", o->shared},     {"requires", o->requires},
                                   {"dims", o->dims},     {"owns", o->owns}, {"masked", o->has_masked ? masked[o->masked] : NULL}, {"suppress", o->suppress}};
  for (size_t i = 0; i < sizeof option / sizeof *option; i++)
    add_option(&t, option[i][0], option[i][1]);
  if (o->values > 0) {
    char digits[WF_NUMBER_SIZE];
    add_option(&t, "values", wf_number_print_double(digits, o->values));
  }
  wf_text_add(&t, "%s%s%s%s%s%s", o->finite ? " --finite" : "", o->empty ? " --empty" : "", o->unzeroed ? " --unzeroed" : "", o->offsets ? " --offsets" : "", o->fast_math ? " --fast-math" : "", o->strict ? " --strict" : "");
  return wf_text_take(&t);
}

/* ---- the campaign: the program's own fuzz command ---- */

static void add_number(WfArgs *a, const char *name, uint64_t value, const char *unit) {
  if (!value)
    return;
  wf_args_add(a, "--%s", name);
  wf_args_add(a, "%" PRIu64 "%s", value, unit);
}

static void add_text(WfArgs *a, const char *name, const char *value) {
  if (!value)
    return;
  wf_args_add(a, "--%s", name);
  wf_args_add(a, "%s", value);
}

static void add_flag(WfArgs *a, const char *name, int given) {
  if (given)
    wf_args_add(a, "--%s", name);
}

static void campaign_arguments(const WfOptions *o, const char *program, WfArgs *a) {
  static const char *const backends[] = {"simt", "gpu", "both"};
  uint64_t time_s = o->time_ns ? o->time_ns / SECOND_NS : o->runs ? 0 : DEFAULT_TIME_S;
  wf_args_add(a, "%s", program);
  wf_args_add(a, "fuzz");
  add_number(a, "time", time_s, "s");
  add_number(a, "runs", o->runs, "");
  add_number(a, "jobs", o->jobs, "");
  if (o->has_seed)
    wf_args_add(a, "--seed=%" PRIu64, o->seed);
  add_text(a, "out", o->out);
  add_text(a, "corpus", o->corpus);
  add_text(a, "dims", o->dims);
  add_text(a, "backend", backends[o->backend]);
  add_number(a, "device-time", o->device_ns / SECOND_NS, "s");
  if (o->rtol > 0)
    wf_args_add(a, "--rtol=%.17g", o->rtol);
  if (o->atol > 0)
    wf_args_add(a, "--atol=%.17g", o->atol);
  add_number(a, "case-memory", o->allowed.memory_bytes >> 10, "k");
  add_number(a, "case-time", o->allowed.cpu_ns / SECOND_NS, "s");
  add_number(a, "memory", o->memory_bytes >> 10, "k");
  add_text(a, "known", o->known);
  add_flag(a, "json", o->json);
  add_flag(a, "resume", o->resume);
  add_flag(a, "stop-on-first", o->stop_on_first);
  add_flag(a, "strict", o->strict);
}

/* Returns only when that failed. */
static int become(const WfOptions *o, const char *program) {
  WfArgs a = {0};
  campaign_arguments(o, program, &a);
  fflush(NULL);
  if (!a.failed)
    execv(program, a.arg);
  wf_say("warpfuzz: %s: %s", program, strerror(a.failed ? ENOMEM : errno));
  wf_args_free(&a);
  return WF_EXIT_HARNESS;
}

/* ---- the whole ---- */

static int source_is_readable(const char *path) {
  struct stat st;
  int rc = stat(path, &st);
  if (rc == 0 && !S_ISREG(st.st_mode))
    wf_say("warpfuzz: %s: is no file", path);
  else if (rc != 0 || access(path, R_OK) != 0)
    wf_say("warpfuzz: %s: %s", path, strerror(errno));
  else
    return 1;
  return 0;
}

/* Everything that needs no compiler. */
static int prepare(WfCheckPlan *p) {
  const WfOptions *o = p->o;
  char err[WF_CASE_ERROR_MAX];
  int n_devices;
  if (!source_is_readable(o->operands[0]))
    return WF_EXIT_USAGE;
  int rc = wf_check_contract(p, err, sizeof err);
  if (rc != 0) {
    wf_say("warpfuzz: %s", err);
    return rc == -2 ? WF_EXIT_NOTHING : WF_EXIT_USAGE;
  }
  if (o->suppress && wf_suppressions_load(&p->known, o->suppress, err, sizeof err) != 0)
    return wf_usage(err);
  int status = wf_backend_check(o, &n_devices);
  if (status != WF_EXIT_CLEAN)
    return status;
  if (wf_toolchain_find(&p->tools, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    return WF_EXIT_HARNESS;
  }
  if (o->backend == WF_BACKEND_SIMT || p->tools.nvcc[0])
    return WF_EXIT_CLEAN;
  wf_say("warpfuzz: no nvcc: --backend gpu and both need it, and a warpfuzz built with it");
  return WF_EXIT_NOTHING;
}

/* 1: the folder was made now. */
static int make_folders(WfCheckPlan *p, int *is_new) {
  char err[WF_CASE_ERROR_MAX];
  struct stat st;
  *is_new = stat(p->o->out, &st) != 0;
  if (wf_dir_make(p->o->out, err, sizeof err) != 0 || wf_dir_make(p->dir, err, sizeof err) != 0)
    return wf_usage(err);
  return WF_EXIT_CLEAN;
}

/* A program of an earlier check may be running: it is replaced, not written to. */
static int build(WfCheckPlan *p, char program[WF_CHECK_PATH]) {
  char path[WF_CHECK_PATH + 16];
  int is_new, status = make_folders(p, &is_new);
  if (status != WF_EXIT_CLEAN)
    return status;
  snprintf(path, sizeof path, "%s/program", p->dir);
  status = wf_check_build(p, path);
  if (status == WF_EXIT_CLEAN && rename(path, program) != 0) {
    wf_say("warpfuzz: %s: %s", program, strerror(errno));
    status = WF_EXIT_HARNESS;
  }
  unlink(path);
  rmdir(p->dir);
  if (status != WF_EXIT_CLEAN && is_new)
    rmdir(p->o->out);
  return status;
}

int wf_cmd_check(const WfOptions *o) {
  WfCheckPlan *p = calloc(1, sizeof *p);
  char program[WF_CHECK_PATH];
  char *command = command_text(o);
  int status = WF_EXIT_HARNESS;
  if (p && command) {
    p->o = o;
    p->command = command;
    snprintf(p->dir, sizeof p->dir, "%s/.build", o->out);
    snprintf(program, sizeof program, "%s/check", o->out);
    status = prepare(p);
    if (status == WF_EXIT_CLEAN)
      status = build(p, program);
    wf_suppressions_free(&p->known);
    wf_op_spec_free(&p->spec);
  } else {
    wf_out_of_memory();
  }
  free(p);
  free(command);
  return status == WF_EXIT_CLEAN ? become(o, program) : status;
}
