/* report_sarif.c - a report as SARIF 2.1.0 (OASIS), one run: findings are results, their classes rules. */
#define _GNU_SOURCE
#include "class_text.h"
#include "finding.h"
#include "report.h"
#include "textbuf.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* Adds a member; NULL says nothing. What fails for want of memory shows in *failed. */
static void set(json_t *to, const char *key, json_t *value, int *failed) {
  if (!value || json_object_set_new(to, key, value) != 0) *failed = 1;
}

static void set_text(json_t *to, const char *key, const char *text, int *failed) {
  if (text) set(to, key, json_string(text), failed);
}

static void append(json_t *to, json_t *value, int *failed) {
  if (!value || json_array_append_new(to, value) != 0) *failed = 1;
}

static json_t *message(const char *text) { return json_pack("{s:s}", "text", text); }

/* ---- places ---- */

/* As part of a URI: what RFC 3986 does not allow in a path is written %XX. */
static void add_uri(WfText *t, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,;=@";
  for (; *path; path++) {
    if (strchr(plain, *path)) wf_text_put(t, path, 1);
    else wf_text_add(t, "%%%02X", (unsigned char)*path);
  }
}

/* malloc'ed, or NULL. */
static char *uri_of(const char *before, const char *path, const char *behind) {
  WfText t = {0};
  wf_text_add(&t, "%s", before);
  add_uri(&t, path);
  wf_text_add(&t, "%s", behind);
  return wf_text_take(&t);
}

/* The folder that files are told relative to; malloc'ed. */
static char *root_of(const WfReport *r) {
  char *root = NULL;
  for (int i = 0; r->sources[i] && !root; i++) root = realpath(r->sources[i], NULL);
  return root;
}

/* Relative to the root where the file lies below it, whether it was named so or not. */
static json_t *artifact(const WfReport *r, const char *file, const char *root, int *failed) {
  char *path = wf_report_source_path(r, file);
  const char *full = path ? path : file;
  size_t n = root ? strlen(root) : 0;
  int below = root && strncmp(full, root, n) == 0 && full[n] == '/';
  int relative = below || *full != '/';
  char *uri = uri_of(relative ? "" : "file://", below ? full + n + 1 : full, "");
  json_t *j = json_object();
  set_text(j, "uri", uri ? uri : "", failed);
  if (relative) set_text(j, "uriBaseId", "SRCROOT", failed);
  *failed |= !uri;
  free(uri);
  free(path);
  return j;
}

typedef struct Place {
  const char *file, *function;
  int64_t line, column;
} Place;

/* A location; text NULL: it says nothing. */
static json_t *location(const WfReport *r, const char *root, const Place *p, const char *text, int *failed) {
  json_t *j = json_object(), *physical = json_object();
  set(physical, "artifactLocation", artifact(r, p->file, root, failed), failed);
  if (p->line > 0) {
    json_t *region = json_pack("{s:I}", "startLine", (json_int_t)p->line);
    if (p->column > 0) set(region, "startColumn", json_integer(p->column), failed);
    set(physical, "region", region, failed);
  }
  set(j, "physicalLocation", physical, failed);
  if (p->function) set(j, "logicalLocations", json_pack("[{s:s, s:s}]", "fullyQualifiedName", p->function, "kind", "function"), failed);
  if (text) set(j, "message", message(text), failed);
  return j;
}

static Place place_of(const WfReportSide *s) { return (Place){s->file, s->function, s->line, s->column}; }

static void add_triple(WfText *t, const char *what, int known, const uint32_t v[3]) {
  if (known) wf_text_add(t, "%s (%u,%u,%u)", what, v[0], v[1], v[2]);
}

/* "write by thread (1,0,0) of block (0,0,0), epoch 3"; malloc'ed. */
static char *who(const WfReportSide *s, const char *before) {
  WfText t = {0};
  wf_text_add(&t, "%s%s", before, s->access ? s->access : "here");
  add_triple(&t, " by thread", s->has_thread, s->thread);
  add_triple(&t, " of block", s->has_block, s->block);
  if (s->has_epoch) wf_text_add(&t, ", epoch %lld", (long long)s->epoch);
  if (s->launch) wf_text_add(&t, ", in %s", s->launch);
  return wf_text_take(&t);
}

/* The finding's own place, then the other side, then who wrote a wrong value. */
static const WfReportSide *side(const WfReportFinding *f, int i) {
  const WfReportSide *all[] = {&f->here, &f->other, &f->writer};
  return all[i]->file ? all[i] : NULL;
}

/* A code flow: for each side a thread's way to its site, from the kernel, or from the launch where that is told. */
static json_t *flow(const WfReport *r, const char *root, const WfReportFinding *f, int *failed) {
  json_t *threads = json_array();
  for (int i = 0; i < 3; i++) {
    const WfReportSide *s = side(f, i);
    if (!s) continue;
    json_t *steps = json_array();
    if (s->launch_file) {
      const Place launch = {s->launch_file, s->launch_function, s->launch_line, s->launch_column};
      append(steps, json_pack("{s:o}", "location", location(r, root, &launch, s->launch, failed)), failed);
    }
    for (size_t k = s->n_frames; k-- > 0;) {
      const WfReportFrame *frame = &s->frames[k];
      const Place p = {frame->file, frame->function, frame->line, frame->column};
      if (frame->file) append(steps, json_pack("{s:o}", "location", location(r, root, &p, "call", failed)), failed);
    }
    char *text = who(s, "");
    const Place p = place_of(s);
    append(steps, json_pack("{s:o}", "location", location(r, root, &p, text, failed)), failed);
    append(threads, json_pack("{s:o, s:o}", "message", message(text ? text : ""), "locations", steps), failed);
    *failed |= !text;
    free(text);
  }
  return json_pack("[{s:o}]", "threadFlows", threads);
}

static void set_places(json_t *to, const WfReport *r, const char *root, const WfReportFinding *f, int *failed) {
  json_t *locations = json_array(), *related = json_array();
  for (int i = 0; i < 3; i++) {
    const WfReportSide *s = side(f, i);
    if (!s) continue;
    const int is_first = json_array_size(locations) == 0;
    char *text = who(s, i == 1 && !is_first ? "other side: " : i == 2 ? "last " : "");
    const Place p = place_of(s);
    json_t *j = location(r, root, &p, text, failed);
    if (!is_first) set(j, "id", json_integer((json_int_t)json_array_size(related) + 1), failed);
    append(is_first ? locations : related, j, failed);
    *failed |= !text;
    free(text);
  }
  for (int i = 0; i < 3; i++) {
    const WfReportSide *s = side(f, i);
    if (!s || !s->launch_file) continue;
    const Place launch = {s->launch_file, s->launch_function, s->launch_line, s->launch_column};
    json_t *j = location(r, root, &launch, s->launch, failed);
    set(j, "id", json_integer((json_int_t)json_array_size(related) + 1), failed);
    append(related, j, failed);
  }
  if (json_array_size(locations)) set(to, "codeFlows", flow(r, root, f, failed), failed);
  const char *name = f->kernel ? f->kernel : f->variant;
  if (!json_array_size(locations) && name)
    append(locations, json_pack("{s:[{s:s, s:s}]}", "logicalLocations", "fullyQualifiedName", name, "kind", "function"), failed);
  set(to, "locations", locations, failed);
  if (json_array_size(related)) set(to, "relatedLocations", related, failed);
  else json_decref(related);
}

/* ---- results ---- */

static const char *level_of(SimtSeverity s) { return s == SIMT_ERROR ? "error" : s == SIMT_WARNING ? "warning" : "note"; }

/* NULL: nothing is known of earlier runs. */
static const char *baseline_of(WfReportState s) {
  switch (s) {
  case WF_STATE_NEW:
    return "new";
  case WF_STATE_GONE:
    return "absent";
  case WF_STATE_OPEN:
  case WF_STATE_KNOWN:
  case WF_STATE_MISSED:
    return "unchanged";
  case WF_STATE_FOUND:
  case WF_STATE_COUNT:
    break;
  }
  return NULL;
}

static void set_suppressions(json_t *to, const WfReportFinding *f, int *failed) {
  const char *kind = f->severity == SIMT_MEANT ? "inSource" : f->state == WF_STATE_KNOWN ? "external" : NULL;
  if (!kind) return;
  json_t *s = json_pack("{s:s, s:s}", "kind", kind, "status", "accepted");
  set_text(s, "justification", f->reason, failed);
  set(to, "suppressions", json_pack("[o]", s), failed);
}

static void set_double(json_t *to, const char *key, double v, int *failed) {
  if (v - v == 0) set(to, key, json_real(v), failed);
  else set_text(to, key, v != v ? "nan" : v > 0 ? "inf" : "-inf", failed); /* JSON has none */
}

static json_t *properties_of(const WfReportFinding *f, int *failed) {
  json_t *p = json_object();
  const char *const texts[][2] = {{"op", f->op}, {"variant", f->variant}, {"program", f->program}, {"kernel", f->kernel}, {"flavor", f->flavor},
                                  {"backend", f->backend}, {"device", f->device}, {"tool", f->tool}, {"object", f->object},
                                  {"element", f->element}, {"outside", f->outside}, {"case", f->case_path}, {"caseKey", f->case_key},
                                  {"caseText", f->case_text}, {"replay", f->replay}, {"firstSeen", f->first_seen}, {"lastSeen", f->last_seen}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i][1]) set(p, texts[i][0], json_stringn_nocheck(texts[i][1], strlen(texts[i][1])), failed);
  if (f->state != WF_STATE_FOUND) set_text(p, "state", wf_report_state_name(f->state), failed);
  if (f->has_value) {
    set_double(p, "expected", f->expected, failed);
    set_double(p, "got", f->got, failed);
    set_double(p, "bound", f->bound, failed);
  }
  return p;
}

static char *sentence(const WfReportFinding *f) {
  WfText t = {0};
  wf_text_add(&t, "%s in %s%s%s", (f->is_between_operations ? wf_class_text_of_operations() : wf_class_text(f->cls))->title, f->op ? f->op : f->program ? f->program : "?", f->variant || f->kernel ? "/" : "",
              f->op && f->variant ? f->variant : f->kernel ? f->kernel : "");
  if (f->message) wf_text_add(&t, ": %s", f->message);
  if (f->outside) wf_text_add(&t, " (outside the contract: %s)", f->outside);
  wf_text_add(&t, ".");
  return wf_text_take(&t);
}

static json_t *result(const WfReport *r, const char *root, const WfReportFinding *f, int64_t rule, int *failed) {
  char *text = sentence(f), print[17];
  json_t *j = json_pack("{s:s, s:I, s:s, s:o}", "ruleId", f->class_name, "ruleIndex", (json_int_t)rule, "level",
                        f->outside ? "note" : level_of(f->severity), "message", message(text ? text : ""));
  set_places(j, r, root, f, failed);
  json_t *prints = json_pack("{s:s}", "warpfuzz/id/v1", f->id);
  if (wf_report_fingerprint(r, f, print) == 0) set_text(prints, "warpfuzz/source/v1", print, failed);
  set(j, "partialFingerprints", prints, failed);
  if (f->count > 0) set(j, "occurrenceCount", json_integer(f->count), failed);
  set_text(j, "baselineState", baseline_of(f->state), failed);
  set_suppressions(j, f, failed);
  set(j, "properties", properties_of(f, failed), failed);
  *failed |= !text;
  free(text);
  return j;
}

/* ---- rules ---- */

static json_t *rule(const char *id, SimtClass cls, int *failed) {
  const WfClassText *t = wf_class_text(cls);
  WfText help = {0};
  wf_text_add(&help, "%s%s%s", t->what, *t->repair ? "\n\n" : "", t->repair);
  char *text = wf_text_take(&help);
  json_t *j = json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:s}}", "id", id, "name", id, "shortDescription", message(t->title), "fullDescription",
                        message(t->what), "help", message(text ? text : ""), "defaultConfiguration", "level", "error");
  *failed |= !text;
  free(text);
  return j;
}

/* The index of its rule, which is added if it is new. */
static int64_t rule_index(json_t *rules, const WfReportFinding *f, int *failed) {
  for (size_t i = 0; i < json_array_size(rules); i++) {
    const char *id = json_string_value(json_object_get(json_array_get(rules, i), "id"));
    if (id && strcmp(id, f->class_name) == 0) return (int64_t)i;
  }
  append(rules, rule(f->class_name, f->cls, failed), failed);
  return (int64_t)json_array_size(rules) - 1;
}

/* ---- the run ---- */

static json_t *invocation(const WfReport *r, int *failed) {
  const WfReportRun *run = wf_report_latest(r);
  int whole = r->n_failures == 0 && !(run && run->has_status && run->status != 0 && run->status != 1);
  json_t *j = json_pack("{s:b}", "executionSuccessful", whole);
  if (!run) return j;
  set_text(j, "startTimeUtc", run->started, failed);
  set_text(j, "endTimeUtc", run->ended, failed);
  set_text(j, "machine", run->host, failed);
  if (run->has_status) set(j, "exitCode", json_integer(run->status), failed);
  json_t *arguments = json_array();
  for (size_t i = 0; i < run->n_arguments; i++) append(arguments, json_string(run->arguments[i]), failed);
  set(j, "arguments", arguments, failed);
  json_t *p = json_pack("{s:s, s:I}", "run", run->id, "executions", (json_int_t)run->executions);
  if (run->has_seed) set(p, "seed", json_sprintf("%llu", (unsigned long long)run->seed), failed);
  set(j, "properties", p, failed);
  return j;
}

/* "softmax" of "warpfuzz-out/softmax/": all of its id but the run is what readers tell analyses apart by, so that several directories do not
 * take each other's place. malloc'ed; NULL: no memory. */
static char *name_of(const char *dir) {
  size_t end = strlen(dir);
  while (end > 1 && dir[end - 1] == '/') end--;
  size_t from = end;
  while (from && dir[from - 1] != '/') from--;
  return strndup(dir + from, end - from);
}

static json_t *run_of(const WfReport *r, const char *version, int *failed) {
  const WfReportRun *latest = wf_report_latest(r);
  json_t *rules = json_array(), *results = json_array();
  char *root = root_of(r), *uri = root ? uri_of("file://", root, "/") : NULL;
  for (size_t i = 0; i < r->n_findings; i++)
    append(results, result(r, root, &r->findings[i], rule_index(rules, &r->findings[i], failed), failed), failed);
  json_t *j = json_pack("{s:{s:{s:s, s:s, s:o}}, s:[o], s:s, s:o}", "tool", "driver", "name", "warpfuzz", "version", version, "rules", rules,
                        "invocations", invocation(r, failed), "columnKind", "unicodeCodePoints", "results", results);
  if (uri) set(j, "originalUriBaseIds", json_pack("{s:{s:s}}", "SRCROOT", "uri", uri), failed);
  char *name = name_of(r->dir);
  if (latest) set(j, "automationDetails", json_pack("{s:o}", "id", json_sprintf("warpfuzz/%s/%s", name ? name : "", latest->id)), failed);
  *failed |= (root && !uri) || !name;
  free(name);
  free(uri);
  free(root);
  return j;
}

char *wf_report_sarif(const WfReport *r, const char *version) {
  int failed = 0;
  json_t *j = json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run_of(r, version, &failed));
  char *text = j && !failed ? json_dumps(j, JSON_INDENT(1) | JSON_ENSURE_ASCII) : NULL, *whole = NULL;
  if (text && asprintf(&whole, "%s\n", text) < 0) whole = NULL;
  free(text);
  json_decref(j);
  return whole;
}
