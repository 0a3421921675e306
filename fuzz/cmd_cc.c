/* cmd_cc.c - warpfuzz cc: whole CUDA programs for the engine, built as nvcc would build them for a GPU. */
#include "cc_build.h"
#include "cli.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* What scripts look for in nvcc's answer is there. */
static int print_version(void) {
  puts("warpfuzz cc " PACKAGE_VERSION ": a compiler driver for programs of CUDA, in place of nvcc\n"
       "Cuda compilation tools, release 13.0, V13.0.0");
  return WF_EXIT_CLEAN;
}

static void say_ignored(const WfArgs *noted) {
  char line[1024] = "";
  size_t len = 0;
  for (size_t i = 0; i < noted->n && len < sizeof line; i++)
    len += (size_t)snprintf(line + len, sizeof line - len, "%s%s", i ? ", " : "", noted->arg[i]);
  if (noted->n) wf_say("warpfuzz: cc: note: ignored, as there is no GPU code here: %s", line);
}

static int build(const WfCcOptions *o) {
  WfToolchain t;
  char err[512];
  if (wf_toolchain_find(&t, err, sizeof err)) {
    wf_say("warpfuzz: cc: %s", err);
    return WF_EXIT_HARNESS;
  }
  say_ignored(&o->noted);
  return wf_cc_build(o, &t);
}

int wf_cmd_cc(const WfOptions *options) {
  WfCcOptions o;
  char err[512];
  int status;
  if (wf_cc_options_parse(&o, options->n_operands, options->operands, err, sizeof err)) {
    wf_say("warpfuzz: cc: %s", err);
    status = WF_EXIT_USAGE;
  } else if (o.help) {
    wf_options_help(WF_COMMAND_CC, stdout);
    status = WF_EXIT_CLEAN;
  } else {
    status = o.version ? print_version() : build(&o);
  }
  wf_cc_options_free(&o);
  return status;
}
