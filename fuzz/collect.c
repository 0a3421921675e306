/* collect.c - findings, corpus cases and failures to files and notices. */
#define _POSIX_C_SOURCE 200809L
#include "collect.h"
#include "case_order.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Those of earlier runs. 0; -1 with a message. */
static int count_corpora(WfCollector *c, char *err, size_t err_size) {
  for (size_t i = 0; i < c->plan->n_targets; i++) {
    char dir[PATH_BYTES];
    WfCaseFiles files = {0};
    if (i > 0 && c->plan->targets[i - 1].op == c->plan->targets[i].op) continue;
    snprintf(dir, sizeof dir, "%s/corpus/%s", c->plan->out, c->plan->targets[i].op->name);
    int rc = wf_case_files_add(&files, dir, err, err_size);
    c->corpus[i].n = files.n;
    wf_case_files_free(&files);
    if (rc != 0) return -1;
  }
  return 0;
}

/* That of the target's op: targets are in the order of ops. */
static WfCorpusCount *corpus_of(WfCollector *c, size_t target) {
  while (target > 0 && c->plan->targets[target - 1].op == c->plan->targets[target].op) target--;
  return &c->corpus[target];
}

int wf_collector_init(WfCollector *c, const WfPlan *plan, FILE *out, FILE *log, char *err, size_t err_size) {
  *c = (WfCollector){.plan = plan, .out = out, .log = log, .is_live = wf_live_is_possible(log)};
  for (size_t i = 0; i < plan->n_targets; i++) {
    char dir[PATH_BYTES];
    snprintf(dir, sizeof dir, "%s/corpus/%s", plan->out, plan->targets[i].op->name);
    if (wf_dir_make(dir, err, err_size) != 0) return -1;
  }
  c->shown = calloc(4 * plan->n_targets, sizeof *c->shown);
  c->corpus = calloc(plan->n_targets, sizeof *c->corpus);
  if (c->shown && c->corpus) return count_corpora(c, err, err_size);
  snprintf(err, err_size, "out of memory");
  return -1;
}

void wf_collector_free(WfCollector *c) {
  for (size_t i = 0; i < c->n_kept; i++) {
    WfKept *k = &c->kept[i];
    free(k->path);
    free(k->logged);
    free(k->shown);
    free(k->json);
    free(k->places);
    free(k->reason);
  }
  free(c->replays);
  free(c->corpus);
  for (size_t i = 0; i < c->n_made; i++) free(c->made[i]);
  free(c->made);
  free(c->kept);
  free(c->shown);
  *c = (WfCollector){0};
}

void wf_collect_notice(WfCollector *c, const char *line) {
  wf_live_clear(&c->live, c->log);
  fprintf(c->log, "%s\n", line);
}

void wf_collect_event(WfCollector *c, const char *name, const char *rest) {
  wf_live_clear(&c->live, c->log);
  fflush(c->log);
  fprintf(c->out, "{\"event\":\"%s\",%s", name, rest);
  fflush(c->out);
}

/* {"event":NAME,"finding":{...}} */
static void tell_finding(WfCollector *c, const char *name, const WfKept *k, const char *json) {
  char *line = wf_history_line(json, &k->history, wf_kept_state(k), k->listed ? k->listed->reason : NULL);
  size_t size = line ? strlen(line) + 16 : 0;
  char *rest = line ? malloc(size) : NULL;
  if (rest) {
    line[strcspn(line, "\n")] = '\0';
    snprintf(rest, size, "\"finding\":%s}\n", line);
    wf_collect_event(c, name, rest);
  }
  free(rest);
  free(line);
}

size_t wf_collect_count(const WfCollector *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n_kept; i++) n += c->kept[i].is_found && c->kept[i].severity != SIMT_MEANT;
  return n;
}

WfState wf_kept_state(const WfKept *k) {
  if (k->is_elsewhere) return k->state_before;
  if (k->is_judged && !k->is_found) return WF_STATE_IS_GONE;
  if (k->listed) return WF_STATE_IS_KNOWN;
  if (!k->is_found) return WF_STATE_IS_MISSED;
  return k->was_there ? WF_STATE_IS_OPEN : WF_STATE_IS_NEW;
}

int wf_kept_counts(const WfKept *k, int strict) {
  return k->is_found && !k->listed && !k->outside && (k->severity == SIMT_ERROR || (strict && k->severity == SIMT_WARNING));
}

void wf_kept_list(const WfCollector *c, WfKept *k, const char *line) {
  const int can_be = k->severity != SIMT_MEANT && c->plan->listed && line;
  json_t *json = can_be ? json_loads(line, 0, NULL) : NULL;
  k->listed = json ? wf_known_find(c->plan->listed, json) : NULL;
  json_decref(json);
}

static WfKept *find_kept(WfCollector *c, uint64_t id) {
  for (size_t i = 0; i < c->n_kept; i++)
    if (c->kept[i].id == id) return &c->kept[i];
  return NULL;
}

/* Of a new finding, without its strings. */
static WfKept kept_of(const WfCollector *c, const WfRecord *r) {
  WfKept k = {.id = r->id, .target = r->target, .cls = r->cls, .severity = r->severity, .outside = r->outside, .history.site_id = r->site_id};
  wf_kept_list(c, &k, r->json);
  return k;
}

static WfKept *add_kept(WfCollector *c, const WfRecord *r) {
  WfKept *more = realloc(c->kept, (c->n_kept + 1) * sizeof *more);
  if (!more) return NULL;
  c->kept = more;
  char *places = strdup(r->places);
  if (!places) return NULL;
  WfKept *k = &c->kept[c->n_kept++];
  *k = kept_of(c, r);
  k->places = places;
  return k;
}

/* It was seen, now. The first time of a run says which. */
static void note_seen(const WfCollector *c, WfKept *k) {
  WfHistory *h = &k->history;
  k->is_found = 1;
  wf_clock_utc(h->last_seen);
  snprintf(h->last_run, sizeof h->last_run, "%s", c->plan->run ? c->plan->run : "");
  if (h->first_seen[0]) return;
  snprintf(h->first_seen, sizeof h->first_seen, "%s", h->last_seen);
  snprintf(h->first_run, sizeof h->first_run, "%s", h->last_run);
}

static int out_of_memory(char *err, size_t err_size) {
  snprintf(err, err_size, "out of memory");
  return -1;
}

static int note_made(WfCollector *c, const char *path) {
  char **more = realloc(c->made, (c->n_made + 1) * sizeof *more);
  if (more) c->made = more;
  char *copy = more ? strdup(path) : NULL;
  if (copy) c->made[c->n_made++] = copy;
  return copy ? 0 : -1;
}

/* To `name` in the output directory, which is `path`. */
static int save_case(WfCollector *c, const WfRecord *r, const char *name, const char *path, char *err, size_t err_size) {
  char *text = wf_case_print(&r->c);
  if (!text || (access(path, F_OK) != 0 && note_made(c, path) != 0)) {
    free(text);
    return out_of_memory(err, err_size);
  }
  int rc = wf_file_write(c->plan->out, name, text, strlen(text), err, err_size);
  free(text);
  return rc;
}

static int same_path(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static int is_named(const WfCollector *c, const char *path) {
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *k = &c->kept[i];
    if (same_path(k->path, path) || same_path(k->logged, path) || same_path(k->shown, path)) return 1;
  }
  return 0;
}

void wf_collect_drop(const WfCollector *c, const char *path) {
  int is_ours = 0;
  for (size_t i = 0; i < c->n_made; i++) is_ours |= strcmp(c->made[i], path) == 0;
  if (is_ours && !is_named(c, path)) unlink(path);
}

/* ---- printing ---- */

static void announce(WfCollector *c, const WfRecord *r, const char *path) {
  char line[PATH_BYTES + 640], name[WF_NAME_MAX];
  int placed = r->places[0] != '\0';
  wf_target_name(&c->plan->targets[r->target], name);
  snprintf(line, sizeof line, "%s%s: %s in %s%s%s%s: %s", r->outside ? "outside the contract: " : "",
           wf_severity_name(r->severity), simt_class_name(r->cls), name, placed ? " (" : "", r->places,
           placed ? ")" : "", path);
  wf_collect_notice(c, line);
}

/* The first error of each class and variant is printed in full, which says all that a notice would, unless nobody gets it; and so is the first
 * warning, where the plan says so. */
static void print_record(WfCollector *c, const WfRecord *r, const char *path) {
  const size_t kind = (r->outside ? 1u : 0u) + (r->severity == SIMT_WARNING ? 2u : 0u);
  uint32_t *shown = &c->shown[r->target + kind * c->plan->n_targets];
  if (!r->text || *shown >> r->cls & 1) {
    announce(c, r, path);
    return;
  }
  *shown |= 1u << r->cls;
  wf_live_clear(&c->live, c->log);
  fflush(c->log);
  fprintf(c->out, "%s\n", r->text);
  if (fflush(c->out) != 0 || ferror(c->out)) announce(c, r, path);
}

/* What could not be saved goes to the log, with the text of its case. */
static void rescue(WfCollector *c, const WfRecord *r, const char *path) {
  char *text = wf_case_print(&r->c);
  announce(c, r, path);
  if (r->text) fprintf(c->log, "%s\n", r->text);
  fprintf(c->log, "not saved; its case is:\n%s\n", text ? text : "(out of memory)");
  free(text);
}

/* With the history of the finding, which is NULL when it is new. How often it was found comes later: once, at least, which is what stays when the
 * campaign is killed before that. */
static int append_line(const WfCollector *c, const WfRecord *r, const WfKept *known, char *err, size_t err_size) {
  char log[PATH_BYTES];
  WfKept k = known ? *known : kept_of(c, r);
  note_seen(c, &k);
  if (!k.history.count) k.history.count = 1;
  snprintf(log, sizeof log, "%s/findings.jsonl", c->plan->out);
  char *line = wf_history_line(r->json, &k.history, wf_kept_state(&k), k.listed ? k.listed->reason : NULL);
  int rc = line ? wf_file_append(log, line, err, err_size) : out_of_memory(err, err_size);
  free(line);
  return rc;
}

/* Prints the finding, whose case may be larger than one that another worker came to: then it is saved for that. What is printed is
 * in findings.jsonl before, with the line of the case as it was found until the campaign ends. */
static int show(WfCollector *c, const WfRecord *r, WfKept *k, const char *name, const char *path, char *err,
                size_t err_size) {
  if (!is_named(c, path) && save_case(c, r, name, path, err, err_size) != 0) return -1;
  if (!same_path(k->logged, path) && append_line(c, r, k, err, err_size) != 0) return -1;
  k->shown = strdup(path);
  if (!k->shown) return out_of_memory(err, err_size);
  if (c->with_json) tell_finding(c, "finding", k, r->json);
  else print_record(c, r, path);
  return 0;
}

/* ---- findings ---- */

/* Makes the record's case, which is saved, the smallest of its finding. 0 or -1: no memory. */
static int keep(const WfCollector *c, WfKept *k, const WfRecord *r, const char *path) {
  char *new_path = strdup(path), *json = strdup(r->json), *places = strdup(r->places);
  if (!k->logged) k->logged = strdup(path);
  if (!new_path || !json || !places || !k->logged) {
    free(new_path);
    free(json);
    free(places);
    return -1;
  }
  char *old_path = k->path;
  free(k->json);
  free(k->places);
  k->path = new_path;
  k->json = json;
  k->places = places;
  k->c = r->c;
  k->has_case = 1;
  if (old_path) wf_collect_drop(c, old_path);
  free(old_path);
  return 0;
}

/* Saves the case and, of a new finding, its line: both are on the disk when this returns 0. A smaller case of a known finding
 * gets its line at the end. */
static int take(WfCollector *c, WfKept **known, const WfRecord *r, const char *name, const char *path, char *err,
                size_t err_size) {
  if (save_case(c, r, name, path, err, err_size) != 0) return -1;
  if (!*known && append_line(c, r, NULL, err, err_size) != 0) return -1;
  if (!*known) *known = add_kept(c, r);
  return *known && keep(c, *known, r, path) == 0 ? 0 : out_of_memory(err, err_size);
}

static int collect_finding(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  const WfTarget *t = &c->plan->targets[r->target];
  char name[WF_FILE_NAME_MAX], path[PATH_BYTES];
  WfKept *k = find_kept(c, r->id);
  wf_finding_file_name(t, r->cls, r->key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  int rc = 0;
  if (!k || !k->has_case || wf_case_compare(&r->c, &k->c, t->variant) < 0) rc = take(c, &k, r, name, path, err, err_size);
  if (rc == 0) note_seen(c, k);
  if (rc == 0 && k->severity == SIMT_MEANT) { /* it was in an earlier run, and is no more */
    k->severity = r->severity;
    wf_kept_list(c, k, r->json);
  }
  if (rc == 0 && !r->is_pending && !k->shown && !k->listed) rc = show(c, r, k, name, path, err, err_size);
  if (rc != 0) rescue(c, r, path);
  return rc;
}

/* A finding of an earlier run that is meant by now. 0 or -1: no memory. */
static int make_meant(WfKept *k, const WfRecord *r) {
  char *json = strdup(r->json), *reason = strdup(r->text ? r->text : "");
  if (!json || !reason) {
    free(json);
    free(reason);
    return -1;
  }
  free(k->json);
  free(k->reason);
  k->json = json;
  k->reason = reason;
  k->severity = SIMT_MEANT;
  k->listed = NULL;
  return 0;
}

/* Kept for the list at the end; on the disk like a finding. */
static int collect_meant(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  WfKept *k = find_kept(c, r->id);
  if (k) {
    note_seen(c, k);
    return k->severity == SIMT_MEANT || make_meant(k, r) == 0 ? 0 : out_of_memory(err, err_size);
  }
  k = add_kept(c, r);
  if (k) {
    note_seen(c, k);
    k->json = strdup(r->json);
    k->reason = strdup(r->text ? r->text : "");
  }
  if (!k || !k->json || !k->reason) return out_of_memory(err, err_size);
  return append_line(c, r, k, err, err_size);
}

/* "gone: race-shared in softmax/v (k.cu:3:5 in f): out/softmax-v...case" */
static void announce_gone(WfCollector *c, const WfKept *k) {
  char line[PATH_BYTES + 640], name[WF_NAME_MAX];
  wf_target_name(&c->plan->targets[k->target], name);
  snprintf(line, sizeof line, "gone: %s in %s%s%s%s: %s", simt_class_name(k->cls), name, k->places[0] ? " (" : "", k->places,
           k->places[0] ? ")" : "", k->path ? k->path : "");
  wf_collect_notice(c, line);
  if (c->with_json) tell_finding(c, "gone", k, k->json);
}

/* Its line as it is now. 0 or -1: no memory. */
static int renew(const WfCollector *c, WfKept *k, const WfRecord *r) {
  char *line = strdup(r->json), *places = strdup(r->places);
  if (!line || !places) {
    free(line);
    free(places);
    return -1;
  }
  free(k->json);
  free(k->places);
  k->json = line;
  k->places = places;
  k->severity = r->severity;
  wf_kept_list(c, k, line);
  return 0;
}

/* For the plan: where it is now, later findings of it are told by, and the next process that replays goes on with what is known. */
static void note_replayed(WfCollector *c, const WfRecord *r) {
  for (size_t i = 0; i < c->plan->n_replays; i++) {
    if (c->replays[i].id != r->id) continue;
    c->replays[i].seen = r->replayed;
    if (r->replayed == WF_REPLAYED_OPEN || r->replayed == WF_REPLAYED_MOVED) c->replays[i].site_id = r->site_id;
  }
}

/* 0 or -1: no memory. */
static int collect_replayed(WfCollector *c, const WfRecord *r) {
  WfKept *k = find_kept(c, r->id);
  if (!k) return 0;
  note_replayed(c, r);
  if (r->replayed == WF_REPLAYED_LATER) return 0;
  k->is_judged = 1;
  if (r->replayed == WF_REPLAYED_GONE) {
    k->is_found = 0;
    if (k->state_before != WF_STATE_IS_GONE) announce_gone(c, k);
    return 0;
  }
  note_seen(c, k);
  k->history.count++;
  k->history.site_id = r->site_id;
  int rc = r->json ? renew(c, k, r) : 0;
  for (size_t i = 0; i < c->plan->n_replays; i++)
    if (c->replays[i].id == r->id) c->replays[i].json = k->json;
  return rc;
}

/* Thousands of them, and none is a loss: no need to wait for the disk. */
static int collect_corpus(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  char dir[PATH_BYTES], name[32];
  snprintf(dir, sizeof dir, "%s/corpus/%s", c->plan->out, r->c.op->name);
  snprintf(name, sizeof name, "%016llx.case", (unsigned long long)r->key);
  char *text = wf_case_print(&r->c);
  int rc = text ? wf_file_write_soon(dir, name, text, strlen(text), err, err_size) : -1;
  if (!text) snprintf(err, err_size, "%s/%s: %s", dir, name, strerror(ENOMEM));
  if (rc == 0) corpus_of(c, r->target)->n++;
  free(text);
  return rc;
}

/* A case that the corpus does without. Where it stays, nothing is lost: the campaign goes on. */
static void drop_corpus(WfCollector *c, const WfRecord *r) {
  char path[PATH_BYTES], line[PATH_BYTES + 128];
  snprintf(path, sizeof path, "%s/corpus/%s/%016llx.case", c->plan->out, c->plan->targets[r->target].op->name, (unsigned long long)r->key);
  if (unlink(path) == 0 || errno == ENOENT || c->drop_failed) return;
  c->drop_failed = 1;
  snprintf(line, sizeof line, "warpfuzz: %s: cannot remove: %s", path, strerror(errno));
  wf_collect_notice(c, line);
}

void wf_collect_failure(WfCollector *c, const WfTarget *t, const WfCase *kase, const char *message) {
  char line[2 * PATH_BYTES], name[WF_NAME_MAX], file[WF_FILE_NAME_MAX], err[WF_CASE_ERROR_MAX] = "out of memory";
  WfCase saved = *kase;
  saved.variant = t->variant;
  saved.expect = 0;
  wf_target_name(t, name);
  snprintf(file, sizeof file, "harness-%s-%s-%016llx.case", t->op->name, t->variant->name,
           (unsigned long long)wf_case_key(&saved));
  char *text = wf_case_print(&saved);
  int rc = text ? wf_file_write(c->plan->out, file, text, strlen(text), err, sizeof err) : -1;
  free(text);
  c->failures++;
  snprintf(line, sizeof line, "harness failure in %s: %s; case: %s%s%s", name, message, rc == 0 ? c->plan->out : "",
           rc == 0 ? "/" : "", rc == 0 ? file : err);
  wf_collect_notice(c, line);
}

int wf_collect(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  switch (r->kind) {
  case WF_RECORD_FINDING:
    return collect_finding(c, r, err, err_size);
  case WF_RECORD_MEANT:
    return collect_meant(c, r, err, err_size);
  case WF_RECORD_CORPUS:
    return collect_corpus(c, r, err, err_size);
  case WF_RECORD_COUNT: {
    WfKept *k = find_kept(c, r->id);
    if (k) k->history.count += r->count;
    return 0;
  }
  case WF_RECORD_DROP:
    drop_corpus(c, r);
    return 0;
  case WF_RECORD_MERGED:
    *corpus_of(c, r->target) = (WfCorpusCount){r->count, r->count};
    return 0;
  case WF_RECORD_REPLAYED:
    return collect_replayed(c, r) == 0 ? 0 : out_of_memory(err, err_size);
  case WF_RECORD_FAILURE:
    wf_collect_failure(c, &c->plan->targets[r->target], &r->c, r->text ? r->text : "unknown");
    return 0;
  }
  return 0;
}
