/* runs_log.c - writes lines of runs.jsonl. */
#define _GNU_SOURCE
#include "runs_log.h"
#include "check_info.h"
#include "json_lines.h"
#include "number.h"
#include "textbuf.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

enum { VERSION = 1 };
#define SECOND_NS UINT64_C(1000000000)

/* ---- begin ---- */

/* Of the program that runs: with other kernels it is another one. */
static uint64_t hash_program(void) {
  struct stat st;
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  uint64_t hash = 0;
  if (fd < 0) return 0;
  void *p = fstat(fd, &st) == 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  if (p != MAP_FAILED) {
    hash = XXH64(p, (size_t)st.st_size, 0);
    munmap(p, (size_t)st.st_size);
  }
  close(fd);
  return hash;
}

static void set_build(WfRunLog *r) { snprintf(r->build, sizeof r->build, "%016" PRIx64, hash_program()); }

void wf_run_log_begin(WfRunLog *r) {
  uint16_t chance = 0;
  size_t n = 0;
  wf_clock_utc(r->started);
  for (const char *p = r->started; *p && n < 15; p++)
    if (*p != '-' && *p != ':') r->id[n++] = *p;
  if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance) chance = (uint16_t)getpid();
  snprintf(r->id + n, sizeof r->id - n, "-%04x", chance);
  if (gethostname(r->host, sizeof r->host - 1) != 0) r->host[0] = '\0';
  r->status = -1;
  set_build(r);
}

void wf_run_log_free(WfRunLog *r) {
  free(r->before);
  r->before = NULL;
}

/* ---- counts ---- */

void wf_row_join(WfRow *to, const WfRow *from) {
  to->executions += from->executions;
  to->seconds += from->seconds;
  to->outside += from->outside;
  to->no_verdict += from->no_verdict;
  for (unsigned i = 0; i < WF_SITUATION_COUNT; i++) to->situations[i] += from->situations[i];
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    to->errors[i] += from->errors[i];
    to->warnings[i] += from->warnings[i];
    to->outside_classes[i] += from->outside_classes[i];
    to->listed[i] += from->listed[i];
    to->meant[i] += from->meant[i];
  }
  wf_envelope_join(&to->envelope, &from->envelope);
}

/* ---- writing ---- */

static void put_text(WfText *t, const char *key, const char *value) {
  wf_text_add(t, "%s\"%s\":", t->len > 1 ? "," : "", key);
  wf_text_add_json(t, value);
}

static void put_classes(WfText *t, const char *key, const uint64_t *counts) {
  int n = 0;
  wf_text_add(t, ",\"%s\":{", key);
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++)
    if (counts[i]) wf_text_add(t, "%s\"%s\":%" PRIu64, n++ ? "," : "", simt_class_name((SimtClass)i), counts[i]);
  wf_text_add(t, "}");
}

static void put_axis(WfText *t, const char *name, const WfEnvelope *e, int axis, int *n) {
  if (!e->n[axis]) return;
  wf_text_add(t, "%s\"%s\":[%" PRId64 ",%" PRId64 "]", (*n)++ ? "," : "", name, e->least[axis], e->most[axis]);
}

static void put_row(WfText *t, const WfRow *row) {
  const WfOp *op = row->target.op;
  int n = 0;
  wf_text_add(t, "{\"op\":");
  wf_text_add_json(t, op->name);
  wf_text_add(t, ",\"variant\":");
  wf_text_add_json(t, row->target.variant->name);
  wf_text_add(t, ",\"executions\":%" PRIu64 ",\"seconds\":%.3f", row->executions, row->seconds);
  put_classes(t, "errors", row->errors);
  put_classes(t, "warnings", row->warnings);
  put_classes(t, "listed", row->listed);
  put_classes(t, "meant", row->meant);
  put_classes(t, "outside_classes", row->outside_classes);
  wf_text_add(t, ",\"outside\":%" PRIu64 ",\"no_verdict\":%" PRIu64 ",\"envelope\":{", row->outside, row->no_verdict);
  for (int i = 0; i < op->n_dims; i++) put_axis(t, op->dims[i].name, &row->envelope, i, &n);
  put_axis(t, "threads_a_block", &row->envelope, WF_ENVELOPE_BLOCK, &n);
  put_axis(t, "blocks", &row->envelope, WF_ENVELOPE_GRID, &n);
  wf_text_add(t, "},\"situations\":{");
  for (unsigned i = n = 0; i < WF_SITUATION_COUNT; i++)
    if (row->situations[i]) wf_text_add(t, "%s\"%s\":%" PRIu64, n++ ? "," : "", wf_situation_name((WfSituation)i), row->situations[i]);
  wf_text_add(t, "}}");
}

static void put_arguments(WfText *t, const WfRunLog *r) {
  wf_text_add(t, ",\"arguments\":[");
  for (int i = 0; i < r->n_arguments; i++) {
    wf_text_add(t, "%s", i ? "," : "");
    wf_text_add_json(t, r->arguments[i]);
  }
  wf_text_add(t, "]");
}

/* A line of the contract, "  NAME      VALUE", as ["NAME","VALUE"]. */
static void put_term(WfText *t, const char *line, size_t len) {
  enum { INDENT = 2, VALUE = 12 };
  char name[VALUE + 1] = "", *value = len > VALUE ? strndup(line + VALUE, len - VALUE) : NULL;
  if (!value) return;
  memcpy(name, line + INDENT, VALUE - INDENT);
  for (size_t n = strlen(name); n && name[n - 1] == ' '; n--) name[n - 1] = '\0';
  wf_text_add(t, "%s[", t->s[t->len - 1] == '[' ? "" : ",");
  wf_text_add_json(t, name);
  wf_text_add(t, ",");
  wf_text_add_json(t, value);
  wf_text_add(t, "]");
  free(value);
}

static void put_tolerance(WfText *t, const WfPlan *p) {
  char line[128], r[WF_NUMBER_SIZE], a[WF_NUMBER_SIZE];
  if (p->rtol <= 0 && p->atol <= 0) return;
  int n = snprintf(line, sizeof line, "  tolerance --rtol %s --atol %s, on top of the bound", wf_number_print_double(r, p->rtol), wf_number_print_double(a, p->atol));
  put_term(t, line, (size_t)n);
}

/* Of a user's kernel: what was typed, and the contract that was assumed (check.txt has the same). */
static void put_contract(WfText *t, const WfPlan *p) {
  if (!wf_check_info) return;
  wf_text_add(t, ",");
  wf_text_add(t, "\"command\":");
  wf_text_add_json(t, wf_check_info->command);
  wf_text_add(t, ",\"contract\":[");
  for (const char *line = wf_check_info->contract; *line;) {
    size_t len = strcspn(line, "\n");
    put_term(t, line, len);
    line += len + (line[len] == '\n');
  }
  put_tolerance(t, p);
  wf_text_add(t, "]");
}

static void put_limit(WfText *t, const char *key, uint64_t value) {
  if (value) wf_text_add(t, ",\"%s\":%" PRIu64, key, value);
  else wf_text_add(t, ",\"%s\":null", key);
}

/* JSON readers take integers of 63 bits; a larger seed is a string. */
static void put_seed(WfText *t, uint64_t seed) {
  const char *quote = seed > INT64_MAX ? "\"" : "";
  wf_text_add(t, ",\"seed\":%s%" PRIu64 "%s", quote, seed, quote);
}

static char *line_of(const WfRunLog *r, const WfPlan *p, const WfRunState *s) {
  static const char *const backends[] = {"simt", "gpu", "both"};
  char ended[WF_UTC_MAX];
  uint64_t executions = 0;
  WfText t = {0};
  wf_clock_utc(ended);
  for (size_t i = 0; i < p->n_targets; i++) executions += s->rows[i].executions;
  wf_text_add(&t, "{");
  put_text(&t, "run", r->id);
  wf_text_add(&t, ",\"version\":%d", VERSION);
  put_text(&t, "started", r->started);
  put_text(&t, "ended", s->has_ended ? ended : NULL);
  put_seed(&t, p->seed);
  wf_text_add(&t, ",\"jobs\":%u", p->jobs);
  put_text(&t, "backend", backends[p->backend]);
  put_text(&t, "dtype", r->dtype ? r->dtype : "all");
  put_arguments(&t, r);
  put_contract(&t, p);
  put_limit(&t, "time_limit_s", r->time_limit_ns / SECOND_NS);
  put_limit(&t, "runs_limit", r->runs_limit);
  wf_text_add(&t, ",\"elapsed_s\":%.3f", (double)(r->elapsed_ns + s->elapsed_ns) / (double)SECOND_NS);
  if (s->has_ended) wf_text_add(&t, ",\"status\":%d", r->status);
  else wf_text_add(&t, ",\"status\":null");
  wf_text_add(&t, ",\"executions\":%" PRIu64, executions);
  put_text(&t, "build", r->build);
  put_text(&t, "host", r->host);
  wf_text_add(&t, ",\"resumed\":%s,\"interrupted\":%s,\"deaths\":%u,\"generations\":%u,\"variants\":[", r->resumed ? "true" : "false",
              r->interrupted ? "true" : "false", r->deaths + s->deaths, r->generations + s->generations);
  for (size_t i = 0; i < p->n_targets; i++) {
    wf_text_add(&t, "%s", i ? "," : "");
    put_row(&t, &s->rows[i]);
  }
  wf_text_add(&t, "]}\n");
  return wf_text_take(&t);
}

/* ---- the file ---- */

typedef struct Others {
  const char *id;
  WfText *text;
} Others;

static int is_run(const json_t *line, const char *id) {
  const char *run = json_string_value(json_object_get(line, "run"));
  return run && strcmp(run, id) == 0;
}

static int copy_other(void *arg, json_t *line, const char *text, size_t len) {
  Others *o = arg;
  if (!is_run(line, o->id)) wf_text_put(o->text, text, len);
  return 0;
}

int wf_run_log_write(const WfRunLog *r, const WfPlan *p, const WfRunState *s, char *err, size_t err_size) {
  char path[4096];
  WfText t = {0};
  Others others = {r->id, &t};
  snprintf(path, sizeof path, "%s/runs.jsonl", p->out);
  if (wf_json_lines(path, copy_other, &others, NULL) != 0) {
    snprintf(err, err_size, "%s: %s", path, strerror(errno));
    free(wf_text_take(&t));
    return -1;
  }
  char *line = line_of(r, p, s);
  wf_text_put(&t, line ? line : "", line ? strlen(line) : 0);
  char *all = line ? wf_text_take(&t) : NULL;
  int rc = -1;
  if (all) rc = wf_file_write(p->out, "runs.jsonl", all, strlen(all), err, err_size);
  else snprintf(err, err_size, "out of memory");
  free(line);
  free(all);
  return rc;
}
