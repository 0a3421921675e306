/* collect.c - findings, corpus cases and failures to files and notices. */
#define _POSIX_C_SOURCE 200809L
#include "collect.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

int wf_collector_init(WfCollector *c, const WfPlan *plan, FILE *out, FILE *log, char *err, size_t err_size) {
  *c = (WfCollector){.plan = plan, .out = out, .log = log, .live = isatty(fileno(log))};
  for (size_t i = 0; i < plan->n_targets; i++) {
    char dir[PATH_BYTES];
    snprintf(dir, sizeof dir, "%s/corpus/%s", plan->out, plan->targets[i].op->name);
    if (wf_dir_make(dir, err, err_size) != 0) return -1;
  }
  c->shown = calloc(2 * plan->n_targets, sizeof *c->shown);
  if (c->shown) return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

void wf_collector_free(WfCollector *c) {
  for (size_t i = 0; i < c->n_kept; i++) {
    WfKept *k = &c->kept[i];
    if (k->path != k->first) free(k->path);
    free(k->first);
    free(k->json);
    free(k->places);
    free(k->reason);
  }
  free(c->kept);
  free(c->shown);
  *c = (WfCollector){0};
}

void wf_collect_notice(WfCollector *c, const char *line) {
  fprintf(c->log, "%s%s\n", c->live ? "\r\033[K" : "", line);
}

size_t wf_collect_count(const WfCollector *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n_kept; i++) n += c->kept[i].severity != SIMT_MEANT;
  return n;
}

static WfKept *find_kept(WfCollector *c, uint64_t id) {
  for (size_t i = 0; i < c->n_kept; i++)
    if (c->kept[i].id == id) return &c->kept[i];
  return NULL;
}

static WfKept *add_kept(WfCollector *c, const WfRecord *r) {
  WfKept *more = realloc(c->kept, (c->n_kept + 1) * sizeof *more);
  if (!more) return NULL;
  c->kept = more;
  char *places = strdup(r->places);
  if (!places) return NULL;
  c->kept[c->n_kept] =
      (WfKept){.id = r->id, .target = r->target, .cls = r->cls, .severity = r->severity, .outside = r->outside,
               .places = places};
  return &c->kept[c->n_kept++];
}

/* Case file and, of a new finding, JSON line: both are on the disk when this returns 0. A smaller case of a known finding
 * gets its line at the end. */
static int save_finding(const WfCollector *c, const WfRecord *r, const char *name, int is_new, char *err,
                        size_t err_size) {
  char log[PATH_BYTES];
  snprintf(log, sizeof log, "%s/findings.jsonl", c->plan->out);
  char *text = wf_case_print(&r->c);
  int rc = text ? wf_file_write(c->plan->out, name, text, strlen(text), err, err_size) : -1;
  if (!text) snprintf(err, err_size, "out of memory");
  if (rc == 0 && is_new) rc = wf_file_append(log, r->json, err, err_size);
  free(text);
  return rc;
}

static void announce(WfCollector *c, const WfRecord *r, const char *path) {
  char line[PATH_BYTES + 640], name[WF_NAME_MAX];
  int placed = r->places[0] != '\0';
  wf_target_name(&c->plan->targets[r->target], name);
  snprintf(line, sizeof line, "%s%s: %s in %s%s%s%s: %s", r->outside ? "outside the contract: " : "",
           wf_severity_name(r->severity), simt_class_name(r->cls), name, placed ? " (" : "", r->places,
           placed ? ")" : "", path);
  wf_collect_notice(c, line);
}

/* The first error of each class and variant is printed in full, which says all that a notice would, unless nobody gets it. */
static void show(WfCollector *c, const WfRecord *r, const char *path) {
  uint32_t *shown = &c->shown[r->target + (r->outside ? c->plan->n_targets : 0)];
  if (!r->text || *shown >> r->cls & 1) {
    announce(c, r, path);
    return;
  }
  *shown |= 1u << r->cls;
  if (c->live) fputs("\r\033[K", c->log);
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

/* Removes the case file that a smaller one takes the place of, if nobody else knows it: another finding may have been announced
 * with the same case, or an earlier campaign in this directory. */
static void drop_case(const WfCollector *c, WfKept *k) {
  for (size_t i = 0; i < c->n_kept; i++) {
    const WfKept *o = &c->kept[i];
    if (o != k && o->path && (strcmp(o->path, k->path) == 0 || strcmp(o->first, k->path) == 0)) return;
  }
  if (k->own) unlink(k->path);
}

/* Makes the record's case the smallest of its finding. own: the file is new. 0 or -1: no memory. */
static int keep(WfCollector *c, WfKept *k, const WfRecord *r, const char *path, int own) {
  if (!k) k = add_kept(c, r);
  char *new_path = k ? strdup(path) : NULL, *json = k ? strdup(r->json) : NULL;
  if (!new_path || !json) {
    free(new_path);
    free(json);
    return -1;
  }
  if (!k->first) k->first = new_path;
  if (k->path && k->path != k->first) {
    drop_case(c, k);
    free(k->path);
  }
  free(k->json);
  k->own = own;
  k->path = new_path;
  k->json = json;
  k->size = r->size;
  return 0;
}

static int collect_finding(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  WfKept *known = find_kept(c, r->id);
  if (known && known->size <= r->size) return 0;
  char name[WF_FILE_NAME_MAX], path[PATH_BYTES];
  wf_finding_file_name(&c->plan->targets[r->target], r->cls, r->key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  int own = access(path, F_OK) != 0;
  if (save_finding(c, r, name, !known, err, err_size) != 0) {
    rescue(c, r, path);
    return -1;
  }
  if (keep(c, known, r, path, own) != 0) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  if (known) return 0;
  show(c, r, path);
  return 0;
}

/* Kept for the list at the end; on the disk like a finding. */
static int collect_meant(WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  char log[PATH_BYTES];
  if (find_kept(c, r->id)) return 0;
  WfKept *k = add_kept(c, r);
  if (k) {
    k->json = strdup(r->json);
    k->reason = strdup(r->text ? r->text : "");
  }
  if (!k || !k->json || !k->reason) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  snprintf(log, sizeof log, "%s/findings.jsonl", c->plan->out);
  return wf_file_append(log, r->json, err, err_size);
}

/* Thousands of them, and none is a loss: no need to wait for the disk. */
static int collect_corpus(const WfCollector *c, const WfRecord *r, char *err, size_t err_size) {
  char dir[PATH_BYTES], name[32];
  snprintf(dir, sizeof dir, "%s/corpus/%s", c->plan->out, r->c.op->name);
  snprintf(name, sizeof name, "%016llx.case", (unsigned long long)r->key);
  char *text = wf_case_print(&r->c);
  int rc = text ? wf_file_write_soon(dir, name, text, strlen(text), err, err_size) : -1;
  if (!text) snprintf(err, err_size, "out of memory");
  free(text);
  return rc;
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
  case WF_RECORD_FAILURE:
    wf_collect_failure(c, &c->plan->targets[r->target], &r->c, r->text ? r->text : "unknown");
    return 0;
  }
  return 0;
}
