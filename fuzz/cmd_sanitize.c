/* cmd_sanitize.c - warpfuzz sanitize: cases on the engine, and on a device under the tools of compute-sanitizer. */
#define _GNU_SOURCE
#include "case_files.h"
#include "cli.h"
#include "out_file.h"
#include "sanitize_report.h"
#include "../gpu/gpu.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WF_NVCC
#define WF_NVCC ""
#endif

typedef struct Sanitize {
  const WfOptions *o;
  WfToolName tool[WF_MAX_TOOLS];
  int n_tools;
  WfTarget *chosen; /* by --variant; NULL: by each case */
  size_t n_chosen;
  WfCaseFiles files;
  WfRunner *runner;
  char sanitizer[PATH_MAX], program[PATH_MAX];
  char dir[WF_SANITIZER_DIR_MAX]; /* for logs; "": not made */
  WfSanitizeReport report;
  size_t n_rows;
  int interrupted;
  int status;
} Sanitize;

static void worsen(Sanitize *s, int status) { s->status = wf_exit_worse(s->status, status); }

/* ---- one case, one variant ---- */

static int run_engine(Sanitize *s, const char *path, const WfCase *c, const WfTarget *t, WfVerdict *out) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = 1};
  char err[256];
  wf_watch_begin(path, t->variant->name);
  int rc = wf_run(s->runner, c, t->variant, &opt, out, err, sizeof err);
  wf_watch_begin(NULL, NULL);
  if (rc == 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s: %s: %s", path, t->variant->name, err);
  return WF_EXIT_HARNESS;
}

/* What the parser cannot know. */
static void complete_findings(WfSanitizerLog *log, const WfCase *c, const WfTarget *t) {
  for (size_t i = 0; i < log->n; i++) {
    log->finding[i].op = t->op;
    log->finding[i].variant = t->variant;
    log->finding[i].key = wf_case_key(c);
  }
}

static int print_findings(Sanitize *s, const WfSanitizerLog *log, const char *path) {
  for (size_t i = 0; i < log->n; i++) {
    WfFinding f = log->finding[i];
    f.program = s->o->program;
    char *text = wf_finding_text(&f, path);
    if (!text) return -1;
    printf("%s\n", text);
    free(text);
  }
  fflush(stdout); /* the next tool may take long */
  return 0;
}

static int tool_status(const WfToolResult *r) {
  int status = r->log.errors || r->log.n_other ? WF_EXIT_FINDINGS : WF_EXIT_CLEAN;
  return wf_exit_worse(status, r->end == WF_TOOL_FAILED || r->end == WF_TOOL_INTERRUPTED ? WF_EXIT_HARNESS : WF_EXIT_CLEAN);
}

static void run_tool(Sanitize *s, const WfSanitizeRow *row, int i, WfToolResult *out) {
  char name[WF_NAME_MAX];
  wf_target_name(&row->target, name);
  const WfToolJob job = {.sanitizer = s->sanitizer,
                         .tool = s->tool[i].name,
                         .full_name = s->tool[i].full,
                         .program = s->program,
                         .case_path = row->path,
                         .variant = name,
                         .flavor = row->flavor,
                         .timeout_ns = s->o->time_ns ? s->o->time_ns : WF_SANITIZER_TIMEOUT_NS,
                         .dir = s->dir};
  int rc = wf_sanitizer_run(&job, out);
  complete_findings(&out->log, row->c, &row->target);
  if (rc == 0) rc = print_findings(s, &out->log, row->path);
  worsen(s, rc != 0 ? wf_out_of_memory() : tool_status(out));
  s->interrupted |= out->end == WF_TOOL_INTERRUPTED;
}

static void run_target(Sanitize *s, const char *path, const WfCase *c, const WfTarget *t) {
  WfToolResult result[WF_MAX_TOOLS] = {0};
  WfVerdict *engine = calloc(1, sizeof *engine);
  if (!engine) {
    worsen(s, wf_out_of_memory());
    return;
  }
  WfSanitizeRow row = {path, c, *t, wf_gpu_flavor_name(s->o->flavor), engine, s->tool, result, s->n_tools};
  int status = run_engine(s, path, c, t, engine);
  worsen(s, engine->errors ? wf_exit_worse(status, WF_EXIT_FINDINGS) : status);
  for (int i = 0; i < s->n_tools; i++) {
    if (s->interrupted)
      result[i].end = WF_TOOL_INTERRUPTED;
    else
      run_tool(s, &row, i, &result[i]);
  }
  wf_sanitize_add(&s->report, &row);
  s->n_rows++;
  for (int i = 0; i < s->n_tools; i++) wf_sanitizer_log_free(&result[i].log);
  free(engine);
}

/* ---- which variants: as in a replay ---- */

/* 1: the contract admits the case, and it was run. With `note`, why not is said. */
static int try_target(Sanitize *s, const char *path, const WfCase *c, const WfTarget *t, int note) {
  WfGeometry g;
  char why[256], name[WF_NAME_MAX];
  if (t->op != c->op) return 0;
  if (wf_case_admits(c, t->variant, &g, why, sizeof why)) {
    run_target(s, path, c, t);
    return 1;
  }
  wf_target_name(t, name);
  if (note) wf_say("%s: %s does not admit it: %s", path, name, why);
  return 0;
}

static void run_clean(Sanitize *s, const char *path, const WfCase *c) {
  int n = 0;
  for (size_t i = 0; i < c->op->n_variants && !s->interrupted; i++) {
    WfTarget t = {c->op, &c->op->variants[i]};
    if (t.variant->expect == 0) n += try_target(s, path, c, &t, 0);
  }
  if (n == 0) wf_say("%s: no clean variant admits it", path);
}

static void sanitize_file(Sanitize *s, const char *path) {
  WfCase c;
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(&c, path, err, sizeof err) != 0) {
    wf_say("%s", err);
    worsen(s, WF_EXIT_USAGE);
  } else if (s->chosen) {
    for (size_t i = 0; i < s->n_chosen && !s->interrupted; i++) try_target(s, path, &c, &s->chosen[i], 1);
  } else if (c.variant) {
    WfTarget t = {c.op, c.variant};
    if (!try_target(s, path, &c, &t, 1)) worsen(s, WF_EXIT_USAGE); /* contradicts itself */
  } else {
    run_clean(s, path, &c);
  }
}

/* ---- the command ---- */

/* What can be said of the command line without running anything. */
static int check_options(Sanitize *s) {
  const WfOptions *o = s->o;
  char err[1024];
  s->n_tools = wf_tools_parse(o->tools ? o->tools : "memcheck,racecheck,synccheck,initcheck", s->tool, err, sizeof err);
  if (s->n_tools < 0) return wf_usage(err);
  int rc = o->json_file ? wf_out_file_check(o->json_file) : 0;
  if (rc != 0) {
    wf_say("warpfuzz: --json: %s: %s", o->json_file, strerror(rc));
    return WF_EXIT_USAGE;
  }
  rc = o->variant ? wf_select(&o->variant, 1, 1, &s->chosen, &s->n_chosen, err, sizeof err) : 0;
  return rc == -1 ? wf_out_of_memory() : rc != 0 ? wf_usage(err) : WF_EXIT_CLEAN;
}

static int collect_files(Sanitize *s) {
  char err[WF_CASE_ERROR_MAX];
  for (int i = 0; i < s->o->n_operands; i++) {
    if (wf_case_files_add(&s->files, s->o->operands[i], err, sizeof err) != 0) return wf_usage(err);
    if (access(s->o->operands[i], R_OK) == 0) continue;
    wf_say("warpfuzz: %s: %s", s->o->operands[i], strerror(errno));
    return WF_EXIT_USAGE;
  }
  return WF_EXIT_CLEAN;
}

/* compute-sanitizer, and a device for it. */
static int find_tool_and_device(Sanitize *s) {
  char why[256];
  if (!wf_sanitizer_find(WF_NVCC, s->sanitizer, sizeof s->sanitizer)) {
    wf_say("warpfuzz: compute-sanitizer is neither in PATH nor beside nvcc");
    return WF_EXIT_NOTHING;
  }
  if (wf_gpu_count(why, sizeof why) > 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: no device to run on: %s", why);
  return WF_EXIT_NOTHING;
}

static int prepare(Sanitize *s) {
  char err[WF_SANITIZER_DIR_MAX + 128];
  ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
  if (n <= 0) {
    wf_say("warpfuzz: /proc/self/exe: %s", strerror(errno));
    return WF_EXIT_HARNESS;
  }
  s->program[n] = '\0';
  if (wf_runner_create(&s->runner) != 0) {
    wf_say("warpfuzz: " WF_NO_RUNNER);
    return WF_EXIT_HARNESS;
  }
  if (wf_watch_self(&s->o->allowed, WF_EXIT_HARNESS) != 0) return wf_out_of_memory();
  if (wf_sanitizer_dir_make(s->dir, err, sizeof err) == 0) return WF_EXIT_CLEAN;
  s->dir[0] = '\0';
  wf_say("warpfuzz: %s", err);
  return WF_EXIT_HARNESS;
}

static void finish(Sanitize *s) {
  char err[WF_CASE_ERROR_MAX];
  if (s->interrupted) wf_say("warpfuzz: interrupted");
  if (s->n_rows && wf_sanitize_print(&s->report, s->tool, s->n_tools, stdout) != 0) worsen(s, wf_out_of_memory());
  char *json = s->n_rows && s->o->json_file ? wf_sanitize_json(&s->report) : NULL;
  if (json && wf_out_file_write(s->o->json_file, json, err, sizeof err) != 0) {
    wf_say("warpfuzz: --json: %s", err);
    worsen(s, WF_EXIT_HARNESS);
  }
  free(json);
  if (s->n_rows || s->status != WF_EXIT_CLEAN) return;
  wf_say("warpfuzz: nothing to run");
  s->status = WF_EXIT_NOTHING;
}

int wf_cmd_sanitize(const WfOptions *o) {
  Sanitize s = {.o = o};
  static int (*const steps[])(Sanitize *) = {check_options, collect_files, find_tool_and_device, prepare};
  for (size_t i = 0; i < sizeof steps / sizeof *steps && s.status == WF_EXIT_CLEAN; i++) s.status = steps[i](&s);
  if (s.status == WF_EXIT_CLEAN) {
    for (size_t i = 0; i < s.files.n && !s.interrupted; i++) sanitize_file(&s, s.files.path[i]);
    finish(&s);
  }
  if (s.dir[0]) wf_sanitizer_dir_remove(s.dir);
  wf_sanitize_free(&s.report);
  if (s.runner) wf_runner_destroy(s.runner);
  wf_case_files_free(&s.files);
  free(s.chosen);
  return s.status;
}
