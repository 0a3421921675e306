/* cmd_emit.c - warpfuzz emit: a case as a CUDA program that shows its finding by itself. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "emit.h"
#include "out_file.h"
#include "select.h"
#include <stdlib.h>
#include <string.h>

/* The variant that --variant names, or else the case. */
static int choose_variant(const WfOptions *o, const WfCase *c, const WfVariant **out) {
  WfTarget *targets;
  size_t n;
  char err[1024];
  *out = c->variant;
  if (!o->variant) return *out ? WF_EXIT_CLEAN : wf_usage("emit: the case names no variant: --variant OP/VARIANT says which");
  int rc = wf_select(&o->variant, 1, 1, &targets, &n, err, sizeof err);
  if (rc == -1) return wf_out_of_memory();
  if (rc != 0) return wf_usage(err);
  const WfTarget first = n ? targets[0] : (WfTarget){NULL, NULL};
  free(targets);
  if (n != 1) return wf_usage("emit: --variant must name one variant");
  if (first.op != c->op) return wf_usage("emit: --variant is of another op than the case");
  *out = first.variant;
  return WF_EXIT_CLEAN;
}

/* Runs the variant on the engine, for what the program tells and judges. */
static int run(const WfOptions *o, WfRunner *r, const WfCase *c, const WfVariant *v, WfVerdict *verdict) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .outside = o->outside, .all_relations = 1};
  char err[WF_CASE_ERROR_MAX];
  WfGeometry g;
  wf_watch_begin(o->operands[0], v->name);
  int rc = wf_run(r, c, v, &opt, verdict, err, sizeof err);
  if (rc == 0) return WF_EXIT_CLEAN;
  if (rc == -2)
    wf_say("%s: %s/%s does not admit it: %s%s", o->operands[0], c->op->name, v->name, err,
           o->outside || !wf_case_launch(c, v, &g, NULL, 0) ? "" : " (--outside emits it all the same)");
  else
    wf_say("warpfuzz: %s: %s: %s", o->operands[0], v->name, err);
  return rc == -2 ? WF_EXIT_USAGE : WF_EXIT_HARNESS;
}

static int deliver(const WfOptions *o, const char *text) {
  char err[WF_CASE_ERROR_MAX];
  if (!o->output) {
    fputs(text, stdout);
    return WF_EXIT_CLEAN;
  }
  if (wf_out_file_write(o->output, text, err, sizeof err) == 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s", err);
  return WF_EXIT_HARNESS;
}

static int emit(const WfOptions *o, WfRunner *r, const WfCase *c, const WfVariant *v, WfVerdict *verdict) {
  char err[WF_CASE_ERROR_MAX], *text = NULL;
  int status = run(o, r, c, v, verdict);
  if (status != WF_EXIT_CLEAN) return status;
  const WfEmit e = {.c = c, .v = v, .verdict = verdict, .case_path = o->operands[0], .sources = o->sources ? o->sources : "."};
  int rc = wf_emit(r, &e, &text, err, sizeof err);
  wf_watch_begin(NULL, NULL);
  if (rc == WF_EMIT_NO_SOURCE)
    wf_say("warpfuzz: %s%s", err, o->sources ? "" : " (--sources says where kernels/ lies)");
  else if (rc != 0)
    wf_say("warpfuzz: %s", err);
  status = rc == 0 ? deliver(o, text) : rc == WF_EMIT_NO_SOURCE ? WF_EXIT_USAGE : WF_EXIT_HARNESS;
  free(text);
  return status;
}

/* The case, its variant, and whether the file can be written: before any work is done. */
static int prepare(const WfOptions *o, WfCase *c, const WfVariant **v) {
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(c, o->operands[0], err, sizeof err) != 0) {
    wf_say("%s", err);
    return WF_EXIT_USAGE;
  }
  int status = choose_variant(o, c, v);
  if (status != WF_EXIT_CLEAN) return status;
  int reason = o->output ? wf_out_file_check(o->output) : 0;
  if (reason) wf_say("warpfuzz: %s: %s", o->output, strerror(reason));
  return reason ? WF_EXIT_USAGE : WF_EXIT_CLEAN;
}

int wf_cmd_emit(const WfOptions *o) {
  WfCase c;
  const WfVariant *v;
  WfRunner *r = NULL;
  int status = prepare(o, &c, &v);
  if (status != WF_EXIT_CLEAN) return status;
  WfVerdict *verdict = malloc(sizeof *verdict);
  if (!verdict || wf_watch_self(&o->allowed, WF_EXIT_HARNESS) != 0)
    status = wf_out_of_memory();
  else if (wf_runner_create(&r) != 0) {
    wf_say("warpfuzz: " WF_NO_RUNNER);
    status = WF_EXIT_HARNESS;
  } else
    status = emit(o, r, &c, v, verdict);
  wf_runner_destroy(r);
  free(verdict);
  return status;
}
