/* fuzz_target.c - libFuzzer's callbacks over cases: what the command line and the environment say, and running inputs. */
#include "target_impl.h"
#include "case_files.h"
#include "textbuf.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "warpfuzz case";

static const char *argument(int argc, char **argv, const char *name) {
  size_t len = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, len) == 0) return argv[i] + len;
  return NULL;
}

static const char *variable(const char *name) { /* NULL: it is not set, or empty */
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

static int runs_files(int argc, char **argv) {
  struct stat st;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-' && stat(argv[i], &st) == 0 && S_ISREG(st.st_mode)) return 1;
  return 0;
}

/* Leaves the variants of this op only. */
static void keep_op(WfFuzzTarget *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->n_variants; i++)
    if (t->variants[i].op == t->op) t->variants[n++] = t->variants[i];
  t->n_variants = n;
}

/* The argument comes before the variable: it is nearer. */
static int choose_variants(WfFuzzTarget *t, const char *argued, char *err, size_t err_size) {
  const char *set = variable("WARPFUZZ_VARIANT"), *pattern = argued ? argued : set ? set : t->op->name;
  size_t used = 0;
  if (!argued && set) used = (size_t)snprintf(err, err_size, "WARPFUZZ_VARIANT: ");
  if (used >= err_size) used = 0;
  if (wf_select(&pattern, 1, 0, &t->variants, &t->n_variants, err + used, err_size - used) != 0) return -1;
  keep_op(t);
  if (t->n_variants) return 0;
  snprintf(err + used, err_size - used, "no variant of %s matches '%.200s'", t->op->name, pattern);
  return -1;
}

static int choose_out(WfFuzzTarget *t, const char *argued, char *err, size_t err_size) {
  char why[512];
  const char *set = variable("WARPFUZZ_OUT"), *out = argued ? argued : set;
  if (!out) return 0;
  t->out = out;
  t->keeps_log = 1;
  int rc = wf_dir_make(out, why, sizeof why);
  if (rc == 0 && access(out, W_OK | X_OK) != 0) {
    snprintf(why, sizeof why, "%.400s: cannot be written to", out);
    rc = -1;
  }
  if (rc != 0) snprintf(err, err_size, "%s: %s", argued ? "--out" : "WARPFUZZ_OUT", why);
  return rc;
}

/* Whether the process goes on behind a finding, and the status that it ends with then: the one that a crash is asked to have, else 1. */
static int choose_end(WfFuzzTarget *t, int argc, char **argv, char *err, size_t err_size) {
  const char *set = variable("WARPFUZZ_ABORT"), *status = argument(argc, argv, "-error_exitcode=");
  long wanted = status ? strtol(status, NULL, 10) : 1;
  t->status = wanted >= 1 && wanted <= 255 ? (int)wanted : 1;
  if (set && strcmp(set, "0") != 0 && strcmp(set, "1") != 0) {
    snprintf(err, err_size, "WARPFUZZ_ABORT is to be 0 or 1, not '%.64s'", set);
    return -1;
  }
  t->goes_on = set && *set == '0';
  return 0;
}

int wf_fuzz_target_init(WfFuzzTarget *t, const char *op, int argc, char **argv, char *err, size_t err_size) {
  *t = (WfFuzzTarget){.op = wf_op_find(op, strlen(op)), .out = ".", .named = runs_files(argc, argv)};
  if (choose_end(t, argc, argv, err, err_size) || choose_variants(t, argument(argc, argv, "--variant="), err, err_size) ||
      choose_out(t, argument(argc, argv, "--out="), err, err_size)) {
    wf_text_plain(err);
    return -1;
  }
  if (wf_runner_create(&t->runner) == 0) return 0;
  snprintf(err, err_size, "%s", WF_NO_RUNNER);
  return -1;
}

void wf_fuzz_target_free(WfFuzzTarget *t) {
  free(t->variants);
  free(t->told);
  wf_runner_destroy(t->runner);
}

static int is_judged(const WfFuzzTarget *t, const WfVariant *v) {
  for (size_t i = 0; i < t->n_variants; i++)
    if (t->variants[i].variant == v) return 1;
  return 0;
}

int wf_target_is_text(const uint8_t *data, size_t size) {
  return size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
}

size_t wf_target_text_start(size_t max_size) { return max_size < sizeof magic - 1 ? max_size : sizeof magic - 1; }

int wf_target_decode(const WfFuzzTarget *t, const uint8_t *data, size_t size, WfCase *out) {
  char err[256];
  if (wf_target_is_text(data, size)) {
    if (wf_case_parse(out, (const char *)data, size, "input", err, sizeof err) != 0 || out->op != t->op) return -1;
    if (out->variant && !t->named && !is_judged(t, out->variant)) out->variant = NULL;
  } else {
    static const uint8_t nothing[1] = {0};
    WfChoice ch = {.bytes = size ? data : nothing, .n = size};
    const WfVariant *v = t->variants[wf_choice_below(&ch, t->n_variants)].variant;
    wf_case_generate(out, t->op, v, &ch);
    out->variant = v;
  }
  out->expect = 0;
  return 0;
}

/* 1 + the class of the first error; 0: none, -1: failure of the harness. */
static int run_variant(WfFuzzTarget *t, const WfTarget *on, const WfCase *c, FILE *log) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  WfVerdict v;
  WfGeometry g;
  char err[256];
  if (!wf_case_admits(c, on->variant, &g, NULL, 0)) return 0;
  if (wf_run(t->runner, c, on->variant, &opt, &v, err, sizeof err) != 0) {
    fprintf(log, "warpfuzz: %s\n", err);
    return -1;
  }
  if (!v.errors) return 0;
  t->n_bad++;
  return 1 + (int)wf_target_report(t, on, c, &v, log);
}

int wf_fuzz_target_run(WfFuzzTarget *t, const uint8_t *data, size_t size, FILE *log) {
  WfCase c;
  int found = 0;
  if (wf_target_decode(t, data, size, &c) != 0) return 0;
  const WfVariant *named = c.variant;
  c.variant = NULL; /* so that one case has one key, whoever runs it */
  if (named && !is_judged(t, named)) {
    const WfTarget on = {t->op, named};
    return run_variant(t, &on, &c, log);
  }
  for (size_t i = 0; i < t->n_variants; i++) {
    if (named && t->variants[i].variant != named) continue;
    int rc = run_variant(t, &t->variants[i], &c, log);
    if (rc < 0) return rc;
    if (!found) found = rc;
  }
  return found;
}
