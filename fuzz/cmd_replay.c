/* cmd_replay.c - warpfuzz replay: case files again, each finding in full, a table last. */
#define _POSIX_C_SOURCE 200809L
#include "case_files.h"
#include "cli.h"
#include "device_shows.h"
#include "replay_gone.h"
#include "report_table.h"
#include "run.h"
#include "textbuf.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };

typedef struct Replay {
  const WfOptions *o;
  WfRunner *runner;
  WfGpu *gpu;
  WfTarget *chosen; /* by --variant; NULL: by each case */
  size_t n_chosen;
  char **cells; /* of the table, malloc'ed, without its head */
  size_t n_cells;
  size_t n_runs, n_bad; /* of a case on a variant; those that the exit status counts */
  WfGone gone; /* what directories say that is not there any more */
  int status;
} Replay;

/* ---- judging one run ---- */

/* The classes that the case expects of the variant: its own line, or for another variant than it names, the entry's. */
static uint32_t expected_classes(const WfCase *c, const WfVariant *v) {
  return c->variant && c->variant != v ? v->expect : c->expect;
}

/* The classes that count: none outside the contract. */
static uint32_t counted_classes(const Replay *r, const WfVerdict *found) {
  return found->outside[0] ? 0 : found->errors | (r->o->strict ? found->warnings : 0);
}

/* The errors of one machine: what each found is compared with what the case expects of it. */
static uint32_t errors_of(const WfVerdict *found, int device) {
  uint32_t set = 0;
  for (size_t i = 0; i < found->n; i++)
    if (!found->finding[i].device == !device && found->finding[i].simt.severity == SIMT_ERROR) set |= 1u << found->finding[i].simt.cls;
  return set;
}

/* A device need not show everything (device_shows.h), and nothing where it gave up, say for want of memory. */
static int device_as_expected(const Replay *r, uint32_t expect, const WfVerdict *found) {
  const char *why;
  uint32_t shown = errors_of(found, 1);
  int may_miss = found->outside[0] || (found->no_verdict && !shown);
  return r->o->backend == WF_BACKEND_SIMT || may_miss || wf_device_agrees(expect, shown, &why) >= 0;
}

static int as_expected(const Replay *r, const WfCase *c, const WfVariant *v, const WfVerdict *found) {
  uint32_t expected = expected_classes(c, v);
  if (!device_as_expected(r, expected, found)) return 0;
  if (r->o->backend == WF_BACKEND_GPU) return !r->o->strict || found->outside[0] || (found->warnings & ~expected) == 0;
  uint32_t counted = counted_classes(r, found);
  if (r->o->backend == WF_BACKEND_BOTH) counted &= errors_of(found, 0) | (r->o->strict ? found->warnings : 0);
  uint32_t all = found->errors | found->warnings, expect = expected;
  if (c->variant && c->variant != v && expect) /* an entry lists alternatives */
    return wf_variant_caught(v, found->errors, found->warnings);
  return (counted & ~expect) == 0 && (expect & ~all) == 0;
}

static const char *verdict_word(const Replay *r, const WfCase *c, const WfVariant *v, const WfVerdict *found) {
  uint32_t expect = expected_classes(c, v), all = found->errors | found->warnings;
  if (!as_expected(r, c, v, found)) return counted_classes(r, found) ? "FINDING" : "MISSED";
  int is_silent = r->o->backend == WF_BACKEND_GPU && !all;
  if (found->no_verdict && (!expect || is_silent)) return "no verdict";
  if (expect) return is_silent ? "not shown" : "expected";
  return !all ? "clean" : found->outside[0] ? "outside" : "warning";
}

static int add_line(Replay *r, const char *path, const WfTarget *t, const char *verdict, const WfVerdict *found) {
  WfRow row = {.target = *t, .no_verdict = (uint64_t)found->no_verdict};
  char name[WF_NAME_MAX];
  wf_target_name(t, name);
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    row.errors[i] = !found->outside[0] && found->errors >> i & 1;
    row.warnings[i] = !found->outside[0] && found->warnings >> i & 1;
    row.outside_classes[i] = found->outside[0] && (found->errors | found->warnings) >> i & 1;
    row.meant[i] = found->meant >> i & 1;
  }
  char **more = realloc(r->cells, (r->n_cells + COLUMNS) * sizeof *more);
  if (!more) return -1;
  r->cells = more;
  char **cell = r->cells + r->n_cells;
  cell[0] = strdup(path);
  if (cell[0]) wf_text_plain(cell[0]);
  cell[1] = strdup(name);
  cell[2] = strdup(verdict);
  cell[3] = wf_classes_text(&row, 0);
  r->n_cells += COLUMNS;
  return cell[0] && cell[1] && cell[2] && cell[3] ? 0 : -1;
}

/* ---- running ---- */

/* Everything the verdict has to say, malloc'ed; NULL: no memory. */
static char *report_text(const WfVerdict *v, const char *path, const char *program) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!f) return NULL;
  int bad = 0;
  for (size_t i = 0; i < v->n; i++) {
    WfFinding finding = v->finding[i];
    finding.program = program;
    char *one = wf_finding_text(&finding, path);
    bad |= !one || fprintf(f, "%s\n", one) < 0;
    free(one);
  }
  for (size_t i = 0; i < v->n_meant; i++) {
    char *line = wf_finding_meant(&v->meant_race[i]);
    bad |= !line || fprintf(f, "%s (%" PRIu64 " times)\n\n", line, v->meant_race[i].simt.count) < 0;
    free(line);
  }
  if (v->n_dropped) fprintf(f, "and %zu more findings\n\n", v->n_dropped);
  bad |= fclose(f) != 0;
  if (!bad) return text;
  free(text);
  return NULL;
}

/* One run; its report in *text. WF_EXIT_CLEAN or WF_EXIT_HARNESS. */
static int run_once(Replay *r, const char *path, const WfCase *c, const WfVariant *v, WfVerdict *out, char **text) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL,
                            .rtol = r->o->rtol,
                            .atol = r->o->atol,
                            .outside = r->o->outside,
                            .once = r->o->plain,
                            .all_relations = 1};
  char err[256];
  *text = NULL;
  wf_watch_begin(path, v->name);
  int rc = wf_run(r->runner, c, v, &opt, out, err, sizeof err);
  wf_watch_begin(NULL, NULL);
  if (rc != 0) {
    wf_say("warpfuzz: %s: %s: %s", path, v->name, err);
    return WF_EXIT_HARNESS;
  }
  *text = report_text(out, path, r->o->program);
  return *text ? WF_EXIT_CLEAN : wf_out_of_memory();
}

/* What a run means for the exit status. */
static int judge(const Replay *r, const WfCase *c, const WfVariant *v, const WfVerdict *found) {
  int bad = r->o->expected ? !as_expected(r, c, v, found) : counted_classes(r, found) != 0;
  return bad ? WF_EXIT_FINDINGS : WF_EXIT_CLEAN;
}

/* --repeat: the further runs must give the same report, byte for byte. A device owes that to nobody: there each run counts. */
static int run_again(Replay *r, const char *path, const WfCase *c, const WfVariant *v, const char *first) {
  WfVerdict verdict;
  int status = WF_EXIT_CLEAN;
  for (uint64_t i = 1; i < r->o->repeat && status != WF_EXIT_HARNESS; i++) {
    char *text;
    int ran = run_once(r, path, c, v, &verdict, &text);
    status = wf_exit_worse(status, ran == WF_EXIT_CLEAN ? judge(r, c, v, &verdict) : ran);
    if (text && strcmp(text, first) != 0) {
      wf_say("warpfuzz: %s: %s: run %llu differs from the first:", path, v->name, (unsigned long long)i + 1);
      fputs(*text ? text : "no finding\n", stderr);
      if (r->o->backend == WF_BACKEND_SIMT) status = WF_EXIT_HARNESS;
    }
    free(text);
  }
  return status;
}

static int run_target(Replay *r, const char *path, const WfCase *c, const WfTarget *t) {
  WfVerdict verdict;
  char *text;
  int status = run_once(r, path, c, t->variant, &verdict, &text);
  if (status != WF_EXIT_CLEAN) return status;
  fputs(text, stdout);
  fflush(stdout); /* a later case may end the process */
  status = run_again(r, path, c, t->variant, text);
  r->n_runs++;
  r->n_bad += judge(r, c, t->variant, &verdict) != WF_EXIT_CLEAN;
  free(text);
  if (add_line(r, path, t, verdict_word(r, c, t->variant, &verdict), &verdict) != 0) return wf_out_of_memory();
  if (r->o->backend != WF_BACKEND_GPU && wf_gone_note(&r->gone, path, t, &verdict) != 0) return wf_out_of_memory();
  return wf_exit_worse(status, judge(r, c, t->variant, &verdict));
}

/* ---- which variants ---- */

/* Runs the target when its contract admits the case, or with --outside when it has a launch: returns 1; else 0, with a note
 * on stderr when `note`. */
static int try_target(Replay *r, const char *path, const WfCase *c, const WfTarget *t, int note) {
  WfGeometry g;
  char why[256], name[WF_NAME_MAX];
  if (t->op != c->op) return 0;
  if (!wf_backend_has(r->o, t)) {
    wf_target_name(t, name);
    if (note) wf_say("%s: %s is not built for the device in the flavor %s", path, name, wf_gpu_flavor_name(r->o->flavor));
    return 0;
  }
  int admitted = wf_case_admits(c, t->variant, &g, why, sizeof why);
  if (admitted || (r->o->outside && wf_case_launch(c, t->variant, &g, why, sizeof why))) {
    r->status = wf_exit_worse(r->status, run_target(r, path, c, t));
    return 1;
  }
  wf_target_name(t, name);
  if (note)
    wf_say("%s: %s does not admit it: %s%s", path, name, why,
           r->o->outside || !wf_case_launch(c, t->variant, &g, NULL, 0) ? "" : " (--outside runs it all the same)");
  return 0;
}

static void run_targets(Replay *r, const char *path, const WfCase *c) {
  int n = 0;
  if (r->chosen) {
    for (size_t i = 0; i < r->n_chosen; i++) try_target(r, path, c, &r->chosen[i], 1);
    return;
  }
  if (c->variant) {
    WfTarget t = {c->op, c->variant};
    int bad = wf_backend_has(r->o, &t) ? WF_EXIT_USAGE : WF_EXIT_NOTHING; /* it contradicts itself, or was not built */
    if (!try_target(r, path, c, &t, 1)) r->status = wf_exit_worse(r->status, bad);
    return;
  }
  for (size_t i = 0; i < c->op->n_variants; i++) {
    WfTarget t = {c->op, &c->op->variants[i]};
    if (t.variant->expect == 0) n += try_target(r, path, c, &t, 0);
  }
  if (n == 0) wf_say("%s: no clean variant admits it", path);
}

static void replay_file(Replay *r, const char *path) {
  WfCase c;
  char err[WF_CASE_ERROR_MAX];
  if (wf_case_load(&c, path, err, sizeof err) == 0) {
    run_targets(r, path, &c);
    return;
  }
  wf_say("%s", err);
  r->status = wf_exit_worse(r->status, WF_EXIT_USAGE);
}

/* ---- the command ---- */

static int print_table(const Replay *r) {
  static const char *const head[COLUMNS] = {"case", "variant", "verdict", "classes"};
  const char **cells = malloc((COLUMNS + r->n_cells) * sizeof *cells);
  if (!cells) return wf_out_of_memory();
  memcpy(cells, head, sizeof head);
  for (size_t i = 0; i < r->n_cells; i++) cells[COLUMNS + i] = r->cells[i];
  wf_table_print(stdout, cells, 1 + r->n_cells / COLUMNS, COLUMNS, COLUMNS);
  free(cells);
  if (r->gone.n_lines) putchar('\n');
  for (size_t i = 0; i < r->gone.n_lines; i++) puts(r->gone.line[i]);
  return WF_EXIT_CLEAN;
}

static int collect_files(Replay *r, const WfOptions *o, WfCaseFiles *files) {
  char err[WF_CASE_ERROR_MAX];
  for (int i = 0; i < o->n_operands; i++) {
    int rc = wf_gone_load(&r->gone, o->operands[i], err, sizeof err);
    if (rc == -1) return wf_out_of_memory();
    if (rc == 0 && wf_case_files_add(files, o->operands[i], err, sizeof err) == 0) continue;
    wf_say("warpfuzz: %s", err);
    return WF_EXIT_USAGE;
  }
  return WF_EXIT_CLEAN;
}

/* Last what cannot be said of the command line without a device. */
static int prepare(Replay *r, const WfOptions *o, WfCaseFiles *files) {
  char err[1024];
  int n_devices, rc = o->variant ? wf_select(&o->variant, 1, 1, &r->chosen, &r->n_chosen, err, sizeof err) : 0;
  if (rc != 0) {
    wf_say("warpfuzz: %s", err);
    return rc == -1 ? WF_EXIT_HARNESS : WF_EXIT_USAGE;
  }
  int status = collect_files(r, o, files);
  if (status == WF_EXIT_CLEAN) status = wf_backend_check(o, &n_devices);
  if (status != WF_EXIT_CLEAN) return status;
  if (wf_runner_create(&r->runner) != 0) {
    wf_say("warpfuzz: " WF_NO_RUNNER);
    return WF_EXIT_HARNESS;
  }
  status = wf_backend_open(o, r->runner, &r->gpu);
  if (status != WF_EXIT_CLEAN) return status;
  return wf_watch_self(&o->allowed, WF_EXIT_HARNESS) == 0 ? WF_EXIT_CLEAN : wf_out_of_memory();
}

/* The last line. */
static void print_summary(const Replay *r) {
  fflush(stdout);
  wf_say("SUMMARY: warpfuzz: replay: %s: %zu of %zu run%s %s, exit status %d", wf_exit_word(r->status), r->n_bad, r->n_runs, r->n_runs == 1 ? "" : "s",
         r->o->expected ? "not as expected" : "with findings that count", r->status);
}

int wf_cmd_replay(const WfOptions *o) {
  Replay r = {.o = o};
  WfCaseFiles files = {0};
  r.status = prepare(&r, o, &files);
  if (r.status == WF_EXIT_CLEAN) {
    for (size_t i = 0; i < files.n; i++) replay_file(&r, files.path[i]);
    if (r.n_cells) r.status = wf_exit_worse(r.status, print_table(&r));
    if (r.n_cells == 0 && r.status == WF_EXIT_CLEAN) {
      wf_say("warpfuzz: nothing to run");
      r.status = WF_EXIT_NOTHING;
    }
  }
  if (r.n_runs) print_summary(&r);
  for (size_t i = 0; i < r.n_cells; i++) free(r.cells[i]);
  free(r.cells);
  wf_gone_free(&r.gone);
  free(r.chosen);
  if (r.runner) wf_runner_destroy(r.runner);
  wf_gpu_destroy(r.gpu);
  wf_case_files_free(&files);
  return r.status;
}
