/* replay_gone.c - compares replays with findings.jsonl. */
#define _POSIX_C_SOURCE 200809L
#include "replay_gone.h"
#include "json_lines.h"
#include "textbuf.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int same_text(const json_t *line, const char *key, const char *text) {
  const char *there = json_string_value(json_object_get(line, key));
  return there && text ? strcmp(there, text) == 0 : !there && !text;
}

static int same_function(const json_t *line, const char *prefix, const SimtSite *s) {
  char file[32], function[32];
  snprintf(file, sizeof file, "%sfile", prefix);
  snprintf(function, sizeof function, "%sfunction", prefix);
  return same_text(line, file, s ? s->file : NULL) && same_text(line, function, s ? s->func : NULL);
}

int wf_is_between_same(const json_t *line, const WfFinding *f) {
  const SimtSite *a = f->simt.here.site, *b = f->simt.other.site;
  return (same_function(line, "", a) && same_function(line, "other_", b)) || (same_function(line, "", b) && same_function(line, "other_", a));
}

static const char *text_of(const json_t *line, const char *key) {
  const char *text = json_string_value(json_object_get(line, key));
  return text ? text : "";
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* 0 or -1: no memory. A line that is no finding of the engine's with a case is passed over. */
static int take_line(void *arg, json_t *line, const char *text, size_t len) {
  WfGone *g = arg;
  (void)text;
  (void)len;
  const char *cls = text_of(line, "class"), *path = text_of(line, "case");
  WfExpectation e = {0};
  char variant[WF_NAME_MAX];
  if (!*path || strcmp(text_of(line, "backend"), "gpu") == 0 || simt_class_parse(cls, strlen(cls), &e.cls) != 0) return 0;
  WfExpectation *more = realloc(g->expected, (g->n + 1) * sizeof *more);
  if (!more) return -1;
  g->expected = more;
  snprintf(variant, sizeof variant, "%s/%s", text_of(line, "op"), text_of(line, "variant"));
  e.name = strdup(base_name(path));
  e.variant = strdup(variant);
  e.line = json_incref(line);
  const char *id = text_of(line, *text_of(line, "site_id") ? "site_id" : "id");
  e.site_id = strtoull(id, NULL, 16);
  g->expected[g->n++] = e;
  return e.name && e.variant ? 0 : -1;
}

int wf_gone_load(WfGone *g, const char *dir, char *err, size_t err_size) {
  char path[4096];
  struct stat st;
  if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) return 0;
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  int rc = wf_json_lines(path, take_line, g, NULL);
  if (rc != WF_LINES_UNREADABLE) return rc;
  snprintf(err, err_size, "%s: %s", path, strerror(errno));
  return -2;
}

static int add_line(WfGone *g, const WfExpectation *e, const char *path) {
  WfText t = {0};
  char **more = realloc(g->line, (g->n_lines + 1) * sizeof *more);
  if (!more) return -1;
  g->line = more;
  const char *file = text_of(e->line, "file");
  wf_text_add(&t, "gone: %s in %s", simt_class_name(e->cls), e->variant);
  if (*file) wf_text_add(&t, " (%s:%lld)", file, (long long)json_integer_value(json_object_get(e->line, "line")));
  wf_text_add(&t, ": %s", path);
  char *line = wf_text_take(&t);
  if (!line) return -1;
  wf_text_plain(line);
  g->line[g->n_lines++] = line;
  return 0;
}

static int is_there(const WfExpectation *e, const WfVerdict *v) {
  for (size_t i = 0; i < v->n; i++) {
    const WfFinding *f = &v->finding[i];
    if (wf_finding_id(f) == e->site_id || (f->simt.cls == e->cls && wf_is_between_same(e->line, f))) return 1;
  }
  for (size_t i = 0; i < v->n_meant; i++)
    if (wf_finding_id(&v->meant_race[i]) == e->site_id) return 1;
  return 0;
}

int wf_gone_note(WfGone *g, const char *path, const WfTarget *t, const WfVerdict *v) {
  char variant[WF_NAME_MAX];
  wf_target_name(t, variant);
  for (size_t i = 0; i < g->n && !v->no_verdict && !v->n_dropped; i++) {
    const WfExpectation *e = &g->expected[i];
    if (strcmp(e->name, base_name(path)) != 0 || strcmp(e->variant, variant) != 0 || is_there(e, v)) continue;
    if (add_line(g, e, path) != 0) return -1;
  }
  return 0;
}

void wf_gone_free(WfGone *g) {
  for (size_t i = 0; i < g->n; i++) {
    free(g->expected[i].name);
    free(g->expected[i].variant);
    json_decref(g->expected[i].line);
  }
  for (size_t i = 0; i < g->n_lines; i++) free(g->line[i]);
  free(g->expected);
  free(g->line);
  *g = (WfGone){0};
}
