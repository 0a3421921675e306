/* resume.c - reads our own JSON lines back. A line that is not whole, after a crash (json_lines.h), or no finding of ours is left out. */
#define _POSIX_C_SOURCE 200809L
#include "resume.h"
#include "case_order.h"
#include "json_lines.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* NULL: null, no string, or no such key. */
static const char *text_of(const json_t *line, const char *prefix, const char *key) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, key);
  return json_string_value(json_object_get(line, name));
}

static int text_is(const json_t *line, const char *key, const char *wanted) {
  const char *text = text_of(line, "", key);
  return text && strcmp(text, wanted) == 0;
}

/* A copy; NULL stays NULL. *failed: no memory. */
static char *copy(const char *text, int *failed) {
  char *s = text ? strdup(text) : NULL;
  *failed |= text && !s;
  return s;
}

static long long number_of(const json_t *line, const char *prefix, const char *key) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, key);
  return json_integer_value(json_object_get(line, name));
}

/* "k.cu:3:5 in f", as wf_finding_places() has it. */
static void add_place(FILE *out, const json_t *line, const char *prefix, const char *lead) {
  const char *file = text_of(line, prefix, "file"), *function = text_of(line, prefix, "function");
  if (!file) return;
  fprintf(out, "%s%s:%lld:%lld in %s", lead, file, number_of(line, prefix, "line"), number_of(line, prefix, "column"),
          function ? function : "?");
}

static char *places_of(const json_t *line) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!f) return NULL;
  add_place(f, line, "", "");
  add_place(f, line, "other_", ftell(f) > 0 ? " and " : "");
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* Where the file is gone, or its case is of another variant, any case is smaller. */
static int read_case(WfKept *k, const WfVariant *v) {
  char err[WF_CASE_ERROR_MAX];
  return k->path && wf_case_load(&k->c, k->path, err, sizeof err) == 0 && k->c.variant == v;
}

static int find_target(const WfPlan *p, const json_t *line, uint32_t *out) {
  for (size_t i = 0; i < p->n_targets; i++) {
    if (!text_is(line, "op", p->targets[i].op->name) || !text_is(line, "variant", p->targets[i].variant->name)) continue;
    *out = (uint32_t)i;
    return 0;
  }
  return -1;
}

static int read_severity(const json_t *line, SimtSeverity *out) {
  for (*out = SIMT_MEANT; *out <= SIMT_ERROR; ++*out)
    if (text_is(line, "severity", wf_severity_name(*out))) return 0;
  return -1;
}

/* 16 hexadecimal digits. */
static int read_id(const char *text, uint64_t *out) {
  if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return -1;
  *out = strtoull(text, NULL, 16);
  return 0;
}

/* All but the strings. 0 or -1: not a finding of a target of the plan. */
static int read_head(const WfPlan *p, const json_t *line, WfKept *k) {
  const char *cls = text_of(line, "", "class");
  if (read_id(text_of(line, "", "id"), &k->id) != 0 || !cls || simt_class_parse(cls, strlen(cls), &k->cls) != 0) return -1;
  if (read_severity(line, &k->severity) != 0 || find_target(p, line, &k->target) != 0) return -1;
  k->outside = text_of(line, "", "outside") != NULL;
  return text_of(line, "", k->severity == SIMT_MEANT ? "reason" : "case") ? 0 : -1;
}

static void free_strings(WfKept *k) {
  free(k->json);
  free(k->places);
  free(k->reason);
  free(k->path);
  free(k->logged);
  free(k->shown);
}

static int is_smaller(const WfCollector *c, const WfKept *a, const WfKept *b) {
  if (!a->has_case || !b->has_case) return a->has_case;
  return wf_case_compare(&a->c, &b->c, c->plan->targets[a->target].variant) < 0;
}

/* Takes the strings of *k over: of two lines with one id, the one with the smaller case. 0 or -1: no memory. */
static int keep(WfCollector *c, WfKept *k) {
  for (size_t i = 0; i < c->n_kept; i++) {
    if (c->kept[i].id != k->id) continue;
    int smaller = is_smaller(c, k, &c->kept[i]);
    WfKept larger = smaller ? c->kept[i] : *k;
    if (smaller) c->kept[i] = *k;
    free_strings(&larger);
    return 0;
  }
  WfKept *more = realloc(c->kept, (c->n_kept + 1) * sizeof *more);
  if (!more) {
    free_strings(k);
    return -1;
  }
  c->kept = more;
  c->kept[c->n_kept++] = *k;
  return 0;
}

/* Before there were histories, it was open. */
static void read_past(const WfCollector *c, const char *text, const json_t *line, WfKept *k) {
  const char *run = c->plan->run ? c->plan->run : "";
  wf_history_read(&k->history, line);
  if (!k->history.site_id) k->history.site_id = k->id;
  k->state_before = WF_STATE_IS_OPEN;
  for (int s = 0; s < WF_STATES; s++)
    if (text_is(line, "state", wf_state_name((WfState)s))) k->state_before = (WfState)s;
  k->was_there = !*run || strcmp(k->history.first_run, run) != 0; /* else an earlier part of this run has found it */
  k->is_found = *run && strcmp(k->history.last_run, run) == 0;
  k->on_device = text_is(line, "backend", "gpu");
  k->is_elsewhere = c->plan->backend != WF_BACKEND_BOTH && k->on_device != (c->plan->backend == WF_BACKEND_GPU);
  wf_kept_list(c, k, text);
}

typedef struct Reader {
  WfCollector *collector;
  int is_news;
} Reader;

/* Keeps the finding of one line; others are passed over. 0 or -1: no memory. */
static int keep_line(void *arg, json_t *line, const char *text, size_t len) {
  const Reader *r = arg;
  WfCollector *c = r->collector;
  WfKept k = {.was_there = 1};
  (void)len;
  int failed = 0;
  if (read_head(c->plan, line, &k) != 0) return 0;
  read_past(c, text, line, &k);
  k.json = wf_history_bare(text);
  failed |= !k.json;
  json_t *bare = k.json ? json_loads(k.json, 0, NULL) : NULL;
  json_decref(bare);
  if (k.json && !bare) { /* an object within has a member of ours: it is no line of ours */
    free(k.json);
    return 0;
  }
  k.places = places_of(line);
  k.reason = copy(text_of(line, "", "reason"), &failed);
  k.path = copy(text_of(line, "", "case"), &failed);
  k.logged = copy(k.path, &failed);
  k.shown = r->is_news ? NULL : copy(k.path, &failed);
  k.has_case = read_case(&k, c->plan->targets[k.target].variant);
  if (!failed && k.places) return keep(c, &k);
  free_strings(&k);
  return -1;
}

int wf_collect_resume(WfCollector *c, int is_news, uint64_t **ids, size_t *n, char *err, size_t err_size) {
  char path[4096], notice[4096 + 64];
  size_t n_bad = 0;
  *ids = NULL;
  *n = 0;
  snprintf(path, sizeof path, "%s/findings.jsonl", c->plan->out);
  Reader reader = {c, is_news};
  int rc = wf_json_lines(path, keep_line, &reader, &n_bad);
  *ids = rc == 0 ? malloc((c->n_kept + 1) * sizeof **ids) : NULL;
  if (!*ids) {
    snprintf(err, err_size, "%s: %s", path, rc == WF_LINES_UNREADABLE ? strerror(errno) : "out of memory");
    return -1;
  }
  for (size_t i = 0; i < c->n_kept; i++) (*ids)[(*n)++] = c->kept[i].id;
  snprintf(notice, sizeof notice, "%s: %zu line%s that %s no whole JSON object left out", path, n_bad, n_bad == 1 ? "" : "s", n_bad == 1 ? "is" : "are");
  if (n_bad) wf_collect_notice(c, notice);
  return 0;
}

int wf_collect_replays(WfCollector *c, size_t *n, size_t *n_cases) {
  *n = *n_cases = 0;
  c->replays = malloc((c->n_kept + 1) * sizeof *c->replays);
  if (!c->replays) return -1;
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    int has_case = k->has_case && !k->on_device && c->plan->backend != WF_BACKEND_GPU;
    c->replays[i] = (WfReplay){k->target, k->cls, k->outside, k->id, k->history.site_id, has_case ? &k->c : NULL, k->json, WF_REPLAYED_UNKNOWN};
    *n_cases += (size_t)has_case;
  }
  *n = c->n_kept;
  return 0;
}
