/* fuzz_target.c - libFuzzer's callbacks over cases. */
#include "fuzz_target.h"
#include "case_files.h"
#include "fuzzer.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[] = "warpfuzz case";

enum { ARBITRARY_FRESH = 8 }; /* one mutation in so many starts from a new case: libFuzzer never does */

static const char *argument(int argc, char **argv, const char *name) {
  size_t len = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, len) == 0) return argv[i] + len;
  return NULL;
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

int wf_fuzz_target_init(WfFuzzTarget *t, const char *op, int argc, char **argv, char *err, size_t err_size) {
  const char *pattern = argument(argc, argv, "--variant="), *out = argument(argc, argv, "--out=");
  *t = (WfFuzzTarget){.op = wf_op_find(op, strlen(op)), .out = out ? out : ".", .named = runs_files(argc, argv)};
  if (!pattern) pattern = op;
  if (wf_select(&pattern, 1, 0, &t->variants, &t->n_variants, err, err_size) != 0) return -1;
  keep_op(t);
  if (t->n_variants == 0) {
    snprintf(err, err_size, "no variant of %s matches '%s'", op, pattern);
    return -1;
  }
  if (wf_runner_create(&t->runner) == 0) return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

static int is_judged(const WfFuzzTarget *t, const WfVariant *v) {
  for (size_t i = 0; i < t->n_variants; i++)
    if (t->variants[i].variant == v) return 1;
  return 0;
}

/* The case of an input. Its variant is one that is judged, or NULL (text that names none, or another unless files are run).
 * 0; -1: text that does not parse, or is of another op. */
static int decode(const WfFuzzTarget *t, const uint8_t *data, size_t size, WfCase *out) {
  char err[256];
  if (size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0) {
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

/* ---- running ---- */

/* Saves the case under the name of its first error, then prints what was found. */
static void report(const WfFuzzTarget *t, const WfTarget *on, const WfCase *c, WfVerdict *v, FILE *log) {
  char name[WF_FILE_NAME_MAX], path[4096], err[WF_CASE_ERROR_MAX] = "out of memory";
  WfCase saved = *c;
  SimtClass first = 0;
  while (!(v->errors >> first & 1)) first++;
  saved.variant = on->variant;
  saved.expect = v->errors;
  uint64_t key = wf_case_key(&saved);
  wf_finding_file_name(on, first, key, name);
  snprintf(path, sizeof path, "%s/%s", t->out, name);
  char *text = wf_case_print(&saved);
  int rc = text ? wf_file_write(t->out, name, text, strlen(text), err, sizeof err) : -1;
  free(text);
  if (rc != 0) fprintf(log, "%s\n", err);
  for (size_t i = 0; i < v->n; i++) {
    v->finding[i].key = key;
    char *finding = wf_finding_text(&v->finding[i], rc == 0 ? path : NULL);
    fprintf(log, "%s\n", finding ? finding : "out of memory");
    free(finding);
  }
}

/* 1: an error was found, 0, -1: failure of the harness. */
static int run_variant(const WfFuzzTarget *t, const WfTarget *on, const WfCase *c, FILE *log) {
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
  report(t, on, c, &v, log);
  return 1;
}

int wf_fuzz_target_run(const WfFuzzTarget *t, const uint8_t *data, size_t size, FILE *log) {
  WfCase c;
  int found = 0;
  if (decode(t, data, size, &c) != 0) return 0;
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
    found |= rc;
  }
  return found;
}

/* ---- mutating ---- */

/* A variant to mutate for: the case's own, or any judged one whose contract admits it; NULL: none. */
static const WfVariant *variant_for(const WfFuzzTarget *t, const WfCase *c, WfChoice *ch) {
  WfGeometry g;
  if (c->variant) return wf_case_admits(c, c->variant, &g, NULL, 0) ? c->variant : NULL;
  size_t first = (size_t)wf_choice_below(ch, t->n_variants);
  for (size_t i = 0; i < t->n_variants; i++) {
    const WfVariant *v = t->variants[(first + i) % t->n_variants].variant;
    if (wf_case_admits(c, v, &g, NULL, 0)) return v;
  }
  return NULL;
}

static void fresh(const WfFuzzTarget *t, WfCase *out, WfChoice *ch) {
  const WfVariant *v = t->variants[wf_choice_below(ch, t->n_variants)].variant;
  wf_case_generate(out, t->op, v, ch);
  out->variant = v;
}

/* The text of the case; 0: it does not fit, or there is no memory. */
static size_t encode(const WfCase *c, uint8_t *out, size_t max_size) {
  char *text = wf_case_print(c);
  size_t len = text ? strlen(text) : 0;
  if (len > max_size) len = 0;
  if (len) memcpy(out, text, len);
  free(text);
  return len;
}

size_t wf_fuzz_target_mutate(const WfFuzzTarget *t, uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  WfChoice ch = {.state = wf_seed_derive(seed, 0)};
  WfCase c;
  const WfVariant *v = NULL;
  if (wf_choice_below(&ch, ARBITRARY_FRESH) && decode(t, data, size, &c) == 0) v = variant_for(t, &c, &ch);
  if (v) {
    wf_case_mutate(&c, v, &ch);
    c.variant = v;
  } else {
    fresh(t, &c, &ch);
  }
  c.expect = 0;
  size_t len = encode(&c, data, max_size);
  return len ? len : size;
}

size_t wf_fuzz_target_cross(const WfFuzzTarget *t, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                            uint8_t *out, size_t max_size, unsigned seed) {
  WfChoice ch = {.state = wf_seed_derive(seed, 1)};
  WfCase left, right, mixed;
  const WfVariant *v = NULL;
  if (decode(t, a, a_size, &left) == 0 && decode(t, b, b_size, &right) == 0) v = variant_for(t, &left, &ch);
  if (v)
    wf_case_cross(&mixed, &left, &right, v, &ch);
  else
    fresh(t, &mixed, &ch);
  if (v) mixed.variant = v;
  mixed.expect = 0;
  return encode(&mixed, out, max_size); /* 0: libFuzzer takes an empty input */
}
