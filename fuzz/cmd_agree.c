/* cmd_agree.c - warpfuzz agree: each case on the engine and on a device, and whether the two verdicts agree. */
#define _POSIX_C_SOURCE 200809L
#include "case_files.h"
#include "cli.h"
#include "device_shows.h"
#include "out_file.h"
#include "report_table.h"
#include "run.h"
#include "textbuf.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, MAX_REASONS = SIMT_CLASS_COUNT + 8 };

typedef struct Reason { /* why verdicts differ, and how often that was said */
  const char *text;
  size_t n;
} Reason;

typedef struct Agree {
  const WfOptions *o;
  WfRunner *runner;
  WfGpu *gpu;
  WfTarget *chosen; /* by --variant; NULL: by each case */
  size_t n_chosen;
  char **cells;
  size_t n_cells;
  size_t n_same, n_other; /* pairs that agree; that do not, and nothing explains it */
  Reason reasons[MAX_REASONS];
  WfText json; /* --json: a line a pair */
  int status;
} Agree;

/* ---- one pair ---- */

static int run_on(Agree *a, WfBackend backend, const char *path, const WfCase *c, const WfTarget *t, WfVerdict *out) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL,
                            .rtol = a->o->rtol,
                            .atol = a->o->atol,
                            .outside = a->o->outside,
                            .all_relations = 1};
  char err[256];
  wf_runner_use(a->runner, backend, a->gpu, a->o->flavor);
  wf_watch_begin(path, t->variant->name);
  int rc = wf_run(a->runner, c, t->variant, &opt, out, err, sizeof err);
  wf_watch_begin(NULL, NULL);
  if (rc == 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s: %s: %s", path, t->variant->name, err);
  return WF_EXIT_HARNESS;
}

static void count_reason(Agree *a, const char *why) {
  size_t i = 0;
  while (i + 1 < MAX_REASONS && a->reasons[i].text && strcmp(a->reasons[i].text, why) != 0) i++;
  a->reasons[i].text = why;
  a->reasons[i].n++;
}

/* As wf_device_agrees(). */
static int agrees(const WfVerdict *engine, const WfVerdict *device, const char **why) {
  if (engine->no_verdict || device->no_verdict) {
    *why = "one of them gave up";
    return 0;
  }
  return wf_device_agrees(engine->errors, device->errors, why);
}

/* "race-shared", "nothing", "no verdict" */
static char *classes(const WfTarget *t, const WfVerdict *v) {
  WfRow row = {.target = *t};
  if (v->no_verdict) return strdup("no verdict");
  if (!v->errors) return strdup("nothing");
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) row.errors[i] = v->errors >> i & 1;
  return wf_classes_text(&row, 0);
}

static int add_line(Agree *a, const char *path, const WfTarget *t, const WfVerdict *v, const char *verdict) {
  char name[WF_NAME_MAX];
  wf_target_name(t, name);
  char **more = realloc(a->cells, (a->n_cells + COLUMNS) * sizeof *more);
  if (!more) return -1;
  a->cells = more;
  char **cell = a->cells + a->n_cells;
  cell[0] = strdup(path);
  if (cell[0]) wf_text_plain(cell[0]);
  cell[1] = strdup(name);
  cell[2] = classes(t, &v[0]);
  cell[3] = classes(t, &v[1]);
  cell[4] = strdup(verdict);
  a->n_cells += COLUMNS;
  for (int i = 0; i < COLUMNS; i++)
    if (!cell[i]) return -1;
  return 0;
}

static void json_classes(WfText *t, const char *key, uint32_t set) {
  const char *comma = "";
  wf_text_add(t, ",\"%s\":[", key);
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    if (!(set >> i & 1)) continue;
    wf_text_add(t, "%s\"%s\"", comma, simt_class_name((SimtClass)i));
    comma = ",";
  }
  wf_text_add(t, "]");
}

/* Keys: case, op, variant, engine[], device[] (classes of errors), engine_warnings[], verdict (agree, explained, disagree), why (or
 * null). */
static void add_json(Agree *a, const char *path, const WfTarget *t, const WfVerdict *v, int agree, const char *why) {
  static const char *const verdicts[] = {"disagree", "explained", "agree"};
  wf_text_add(&a->json, "{\"case\":");
  wf_text_add_json(&a->json, path);
  wf_text_add(&a->json, ",\"op\":\"%s\",\"variant\":\"%s\"", t->op->name, t->variant->name);
  json_classes(&a->json, "engine", v[0].errors);
  json_classes(&a->json, "device", v[1].errors);
  json_classes(&a->json, "engine_warnings", v[0].warnings);
  wf_text_add(&a->json, ",\"verdict\":\"%s\",\"why\":", verdicts[agree + 1]);
  wf_text_add_json(&a->json, agree == 0 ? why : NULL);
  wf_text_add(&a->json, "}\n");
}

static int write_json(Agree *a) {
  char err[WF_CASE_ERROR_MAX];
  char *text = wf_text_take(&a->json);
  int rc = text ? wf_out_file_write(a->o->json_file, text, err, sizeof err) : -1;
  if (rc != 0) wf_say("warpfuzz: %s", text ? err : "out of memory");
  free(text);
  return rc == 0 ? WF_EXIT_CLEAN : WF_EXIT_HARNESS;
}

/* Runs the pair and notes what came of it. An exit status. */
static int compare(Agree *a, const char *path, const WfCase *c, const WfTarget *t) {
  WfVerdict *v = malloc(2 * sizeof *v);
  const char *why = NULL;
  int status = v ? run_on(a, WF_BACKEND_SIMT, path, c, t, &v[0]) : wf_out_of_memory();
  if (status == WF_EXIT_CLEAN) status = run_on(a, WF_BACKEND_GPU, path, c, t, &v[1]);
  if (status == WF_EXIT_CLEAN) {
    int agree = agrees(&v[0], &v[1], &why);
    add_json(a, path, t, v, agree, why);
    if (agree > 0) a->n_same++;
    if (agree == 0) count_reason(a, why);
    if (agree < 0) {
      a->n_other++;
      status = WF_EXIT_FINDINGS;
    }
    if (add_line(a, path, t, v, agree > 0 ? "agree" : agree == 0 ? why : "DISAGREE") != 0) status = wf_out_of_memory();
  }
  free(v);
  return status;
}

/* ---- which pairs ---- */

static void try_target(Agree *a, const char *path, const WfCase *c, const WfTarget *t) {
  WfGeometry g;
  if (t->op != c->op || !wf_backend_has(a->o, t)) return;
  if (wf_case_admits(c, t->variant, &g, NULL, 0) || (a->o->outside && wf_case_launch(c, t->variant, &g, NULL, 0)))
    a->status = wf_exit_worse(a->status, compare(a, path, c, t));
}

static void compare_file(Agree *a, const char *path) {
  WfCase c;
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(&c, path, err, sizeof err) != 0) {
    wf_say("%s", err);
    a->status = wf_exit_worse(a->status, WF_EXIT_USAGE);
    return;
  }
  for (size_t i = 0; i < a->n_chosen; i++) try_target(a, path, &c, &a->chosen[i]);
  for (size_t i = 0; !a->chosen && i < c.op->n_variants; i++) {
    WfTarget t = {c.op, &c.op->variants[i]};
    if (c.variant ? c.variant == t.variant : t.variant->expect == 0) try_target(a, path, &c, &t);
  }
}

/* ---- the command ---- */

static int print_table(const Agree *a) {
  static const char *const head[COLUMNS] = {"case", "variant", "engine", "device", "verdict"};
  const char **cells = malloc((COLUMNS + a->n_cells) * sizeof *cells);
  if (!cells) return wf_out_of_memory();
  memcpy(cells, head, sizeof head);
  for (size_t i = 0; i < a->n_cells; i++) cells[COLUMNS + i] = a->cells[i];
  wf_table_print(stdout, cells, 1 + a->n_cells / COLUMNS, COLUMNS, COLUMNS);
  free(cells);
  printf("\n%zu agree\n", a->n_same);
  for (size_t i = 0; i < MAX_REASONS && a->reasons[i].text; i++) printf("%zu differ: %s\n", a->reasons[i].n, a->reasons[i].text);
  printf("%zu disagree\n", a->n_other);
  return WF_EXIT_CLEAN;
}

/* What can be said of the command line without a device. */
static int check_options(Agree *a, WfCaseFiles *files) {
  const WfOptions *o = a->o;
  char err[WF_CASE_ERROR_MAX];
  int rc = o->variant ? wf_select(&o->variant, 1, 1, &a->chosen, &a->n_chosen, err, sizeof err) : 0;
  if (rc != 0) {
    wf_say("warpfuzz: %s", err);
    return rc == -1 ? WF_EXIT_HARNESS : WF_EXIT_USAGE;
  }
  for (int i = 0; i < o->n_operands; i++) {
    if (wf_case_files_add(files, o->operands[i], err, sizeof err) == 0) continue;
    wf_say("warpfuzz: %s", err);
    return WF_EXIT_USAGE;
  }
  rc = o->json_file ? wf_out_file_check(o->json_file) : 0;
  if (rc != 0) {
    wf_say("warpfuzz: --json: %s: %s", o->json_file, strerror(rc));
    return WF_EXIT_USAGE;
  }
  return WF_EXIT_CLEAN;
}

static int prepare(Agree *a) {
  const WfOptions *o = a->o;
  if (wf_runner_create(&a->runner) != 0) {
    wf_say("warpfuzz: " WF_NO_RUNNER);
    return WF_EXIT_HARNESS;
  }
  int status = wf_backend_open(o, a->runner, &a->gpu);
  if (status != WF_EXIT_CLEAN) return status;
  return wf_watch_self(&o->allowed, WF_EXIT_HARNESS) == 0 ? WF_EXIT_CLEAN : wf_out_of_memory();
}

int wf_cmd_agree(const WfOptions *given) {
  WfOptions o = *given;
  Agree a = {.o = &o};
  WfCaseFiles files = {0};
  int n_devices;
  o.backend = WF_BACKEND_BOTH;
  a.status = check_options(&a, &files);
  if (a.status == WF_EXIT_CLEAN) a.status = wf_backend_check(&o, &n_devices);
  if (a.status == WF_EXIT_CLEAN) a.status = prepare(&a);
  if (a.status == WF_EXIT_CLEAN) {
    for (size_t i = 0; i < files.n; i++) compare_file(&a, files.path[i]);
    if (a.n_cells) a.status = wf_exit_worse(a.status, print_table(&a));
    if (a.n_cells && o.json_file) a.status = wf_exit_worse(a.status, write_json(&a));
    if (a.n_cells == 0 && a.status == WF_EXIT_CLEAN) {
      wf_say("warpfuzz: nothing to run");
      a.status = WF_EXIT_NOTHING;
    }
  }
  for (size_t i = 0; i < a.n_cells; i++) free(a.cells[i]);
  free(wf_text_take(&a.json));
  free(a.cells);
  free(a.chosen);
  if (a.runner) wf_runner_destroy(a.runner);
  wf_gpu_destroy(a.gpu);
  wf_case_files_free(&files);
  return a.status;
}
