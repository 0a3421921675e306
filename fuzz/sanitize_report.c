/* sanitize_report.c - the engine and compute-sanitizer side by side. */
#define _GNU_SOURCE
#include "sanitize_report.h"
#include "report_table.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- tools ---- */

static const WfToolName tools[WF_MAX_TOOLS] = {
#define WF_TOOL(name) {name, "compute-sanitizer " name},
#include "options.def"
#undef WF_TOOL
};

static const WfToolName *find_tool(const char *name, size_t len) {
  for (int i = 0; i < WF_MAX_TOOLS; i++)
    if (strlen(tools[i].name) == len && memcmp(tools[i].name, name, len) == 0) return &tools[i];
  return NULL;
}

int wf_tools_parse(const char *list, WfToolName out[WF_MAX_TOOLS], char *err, size_t err_size) {
  int n = 0;
  for (const char *at = list;; at++) {
    size_t len = strcspn(at, ",");
    const WfToolName *t = find_tool(at, len);
    int twice = 0;
    for (int i = 0; i < n; i++) twice |= t && strcmp(out[i].name, t->name) == 0;
    if (!t || twice) {
      snprintf(err, err_size, "--tools takes memcheck, racecheck, synccheck and initcheck, each at most once, not '%.*s'",
               len > 40 ? 40 : (int)len, at);
      return -1;
    }
    out[n++] = *t;
    at += len;
    if (!*at) return n;
  }
}

/* ---- texts of cells ---- */

static char *put(WfSanitizeReport *r, char *text) {
  if (!text) r->failed = 1;
  return text;
}

/* Appends n malloc'ed texts, and owns them. */
static void add_cells(WfSanitizeReport *r, char ***list, size_t *n_list, char *const *cells, size_t n) {
  char **more = realloc(*list, (*n_list + n) * sizeof *more);
  if (more) *list = more;
  for (size_t i = 0; i < n; i++) {
    put(r, cells[i]);
    if (more)
      more[(*n_list)++] = cells[i];
    else
      free(cells[i]);
  }
  if (!more) r->failed = 1;
}

static char *classes_text(uint32_t errors, uint32_t warnings, int no_verdict) {
  WfRow row = {.no_verdict = (uint64_t)no_verdict};
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    row.errors[i] = errors >> i & 1;
    row.warnings[i] = warnings >> i & 1;
  }
  return wf_classes_text(&row, 0);
}

static const char *end_name(WfToolEnd end) {
  switch (end) {
  case WF_TOOL_RAN: return "ran";
  case WF_TOOL_TIMEOUT: return "timeout";
  case WF_TOOL_FAILED: return "failed";
  case WF_TOOL_INTERRUPTED: return "interrupted";
  }
  return "?";
}

/* "race-shared", "-", "oob-global, timeout", "failed: no log". */
static char *tool_cell(const WfToolResult *t) {
  WfText text = {0};
  if (t->log.errors | t->log.warnings) {
    char *classes = classes_text(t->log.errors, t->log.warnings & ~t->log.errors, 0);
    wf_text_add(&text, "%s", classes ? classes : "?");
    free(classes);
  }
  if (t->log.n_other) wf_text_add(&text, "%sother", text.len ? ", " : "");
  if (t->end != WF_TOOL_RAN) wf_text_add(&text, "%s%s", text.len ? ", " : "", end_name(t->end));
  if (t->end == WF_TOOL_FAILED) wf_text_add(&text, ": %s", t->brief);
  if (!text.len) wf_text_add(&text, "-");
  return wf_text_take(&text);
}

/* "CASE OP/VARIANT": the key of a row. */
static char *row_name(const WfSanitizeRow *row) {
  char name[WF_NAME_MAX], *text = NULL;
  wf_target_name(&row->target, name);
  if (asprintf(&text, "%s %s", row->path, name) < 0) return NULL;
  wf_text_plain(text);
  return text;
}

/* ---- places side by side ---- */

static const char *base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

/* One names files as they were compiled, the other may name them without their directories. */
static int same_line(const SimtSite *a, const SimtSite *b) {
  return a && b && a->line && a->line == b->line && a->file && b->file && strcmp(base_name(a->file), base_name(b->file)) == 0;
}

/* How many of the tool's sites are sites of the engine's finding too, each of which answers for one. */
static int shared_lines(const WfFinding *tool, const WfFinding *engine) {
  const SimtSite *t[2] = {tool->simt.here.site, tool->simt.other.site}, *e[2] = {engine->simt.here.site, engine->simt.other.site};
  int straight = same_line(t[0], e[0]) + same_line(t[1], e[1]), crossed = same_line(t[0], e[1]) + same_line(t[1], e[0]);
  return straight > crossed ? straight : crossed;
}

static int n_sites(const WfFinding *f) { return (f->simt.here.site != NULL) + (f->simt.other.site != NULL); }

/* The engine's finding that fits best: by lines, then by class; NULL: none has either. */
static const WfFinding *partner(const WfFinding *tool, const WfVerdict *engine) {
  const WfFinding *best = NULL;
  int best_score = 0;
  for (size_t i = 0; i < engine->n; i++) {
    const WfFinding *e = &engine->finding[i];
    int score = 2 * shared_lines(tool, e) + (e->simt.cls == tool->simt.cls);
    if (score > best_score) best = e;
    if (score > best_score) best_score = score;
  }
  return best;
}

static void add_line(WfText *t, const SimtSite *s, const SimtSite *before) {
  if (!s) return;
  int same_file = before && before->file && s->file && strcmp(before->file, s->file) == 0;
  wf_text_add(t, "%s", before ? " and " : "");
  if (s->line && s->file)
    wf_text_add(t, "%s:%" PRIu32, same_file ? "" : base_name(s->file), s->line);
  else
    wf_text_add(t, "%s", s->func ? s->func : "?");
}

/* "race-shared at k.cu:43 and :52"; "-" for no finding. */
static char *finding_cell(const WfFinding *f) {
  WfText t = {0};
  if (f) wf_text_add(&t, "%s%s", simt_class_name(f->simt.cls), n_sites(f) ? " at " : "");
  if (f) add_line(&t, f->simt.here.site, NULL);
  if (f) add_line(&t, f->simt.other.site, f->simt.here.site);
  if (!f) wf_text_add(&t, "-");
  char *text = wf_text_take(&t);
  if (text) wf_text_plain(text);
  return text;
}

static const char *lines_word(const WfFinding *tool, const WfFinding *engine) {
  if (!engine || n_sites(tool) == 0 || n_sites(engine) == 0) return "-";
  int n = shared_lines(tool, engine);
  return n == n_sites(tool) ? "same" : n ? "one of two" : "other";
}

static void add_place(WfSanitizeReport *r, const WfSanitizeRow *row, const WfFinding *engine, const char *tool,
                      const WfFinding *seen) {
  char *cells[] = {row_name(row), finding_cell(engine), strdup(tool), finding_cell(seen),
                   strdup(seen ? lines_word(seen, engine) : "-")};
  add_cells(r, &r->places, &r->n_places, cells, sizeof cells / sizeof *cells);
}

/* Where the engine and a tool both saw something: each finding of a tool beside the engine's that fits best, then what is the
 * engine's alone. */
static void add_places(WfSanitizeReport *r, const WfSanitizeRow *row) {
  int used[WF_MAX_FINDINGS] = {0}, any = 0;
  for (int i = 0; i < row->n_tools && row->engine->n; i++) {
    const WfSanitizerLog *log = &row->result[i].log;
    for (size_t k = 0; k < log->n; k++) {
      const WfFinding *e = partner(&log->finding[k], row->engine);
      if (e) used[e - row->engine->finding] = 1;
      add_place(r, row, e, row->tool[i].name, &log->finding[k]);
      any = 1;
    }
  }
  for (size_t i = 0; any && i < row->engine->n; i++)
    if (!used[i]) add_place(r, row, &row->engine->finding[i], "-", NULL);
}

/* ---- notes ---- */

static void add_note(WfText *t, const WfSanitizeRow *row, const char *tool, const char *what) {
  char *name = row_name(row);
  wf_text_add(t, "%s: %s: %s\n", name ? name : "?", tool, what);
  free(name);
}

static void add_notes(WfSanitizeReport *r, const WfSanitizeRow *row) {
  for (int i = 0; i < row->n_tools; i++) {
    const WfToolResult *t = &row->result[i];
    char line[96];
    if (t->end == WF_TOOL_FAILED) add_note(&r->notes, row, row->tool[i].name, t->why);
    if (t->log.n_other) {
      snprintf(line, sizeof line, "%" PRIu64 " error%s of a kind that is not known", t->log.n_other, t->log.n_other == 1 ? "" : "s");
      add_note(&r->notes, row, row->tool[i].name, line);
    }
    if (t->log.n_dropped) {
      snprintf(line, sizeof line, "%" PRIu64 " messages of further findings", t->log.n_dropped);
      add_note(&r->notes, row, row->tool[i].name, line);
    }
    for (size_t k = 0; k < t->log.n_kept; k++) add_note(&r->notes, row, row->tool[i].name, t->log.unread[k]);
  }
}

/* ---- JSON ---- */

static void add_json_finding(WfSanitizeReport *r, const WfFinding *f, const char *path) {
  char *line = put(r, wf_finding_json(f, path));
  if (line) wf_text_put(&r->json, line, strlen(line));
  free(line);
}

/* Paths and logs may hold bytes that are no UTF-8. */
static json_t *json_text(const char *s) {
  WfText t = {0};
  wf_text_put(&t, "", 0);
  for (size_t left = strlen(s), n; left; s += n, left -= n) {
    n = wf_utf8_len(s, left);
    if (n)
      wf_text_put(&t, s, n);
    else
      wf_text_put(&t, "\xef\xbf\xbd", 3);
    n += n == 0;
  }
  char *text = wf_text_take(&t);
  json_t *j = text ? json_string(text) : NULL;
  free(text);
  return j;
}

static void add_json_run(WfSanitizeReport *r, const WfSanitizeRow *row, int i) {
  const WfToolResult *t = &row->result[i];
  json_t *lines = json_array();
  for (size_t k = 0; k < t->log.n_kept; k++) json_array_append_new(lines, json_text(t->log.unread[k]));
  json_t *j = json_pack("{ss,ss,so,so,ss,ss,ss,sI,sI,sI,sI,sI,so,sI}", "run", row->tool[i].full, "status", end_name(t->end), "why",
                        *t->why ? json_text(t->why) : json_null(), "case", json_text(row->path), "op", row->target.op->name, "variant",
                        row->target.variant->name, "gpu_flavor", row->flavor ? row->flavor : "default", "told_errors",
                        (json_int_t)t->log.told_errors, "told_warnings", (json_int_t)t->log.told_warnings, "other_errors",
                        (json_int_t)t->log.n_other, "not_printed", (json_int_t)t->log.n_not_printed, "dropped",
                        (json_int_t)t->log.n_dropped, "lines", lines, "n_lines", (json_int_t)t->log.n_unread);
  char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;
  if (put(r, text)) wf_text_add(&r->json, "%s\n", text);
  free(text);
  json_decref(j);
}

static void add_json(WfSanitizeReport *r, const WfSanitizeRow *row) {
  for (size_t i = 0; i < row->engine->n; i++) add_json_finding(r, &row->engine->finding[i], row->path);
  for (int i = 0; i < row->n_tools; i++) {
    for (size_t k = 0; k < row->result[i].log.n; k++) add_json_finding(r, &row->result[i].log.finding[k], row->path);
    add_json_run(r, row, i);
  }
}

/* ---- the report ---- */

void wf_sanitize_add(WfSanitizeReport *r, const WfSanitizeRow *row) {
  char *cells[2 + WF_MAX_TOOLS];
  const WfVerdict *v = row->engine;
  cells[0] = row_name(row);
  cells[1] = classes_text(v->errors, v->warnings & ~v->errors, v->no_verdict);
  for (int i = 0; i < row->n_tools; i++) cells[2 + i] = tool_cell(&row->result[i]);
  add_cells(r, &r->cells, &r->n_cells, cells, 2 + (size_t)row->n_tools);
  add_places(r, row);
  add_notes(r, row);
  add_json(r, row);
}

static int print_table(FILE *out, const char *const *head, size_t n_columns, char *const *cells, size_t n_cells) {
  const char **all = malloc((n_columns + n_cells) * sizeof *all);
  if (!all) return -1;
  memcpy(all, head, n_columns * sizeof *all);
  for (size_t i = 0; i < n_cells; i++) all[n_columns + i] = cells[i];
  wf_table_print(out, all, 1 + n_cells / n_columns, n_columns, n_columns);
  free(all);
  return 0;
}

int wf_sanitize_print(const WfSanitizeReport *r, const WfToolName *tool, int n_tools, FILE *out) {
  static const char *const places[] = {"case and variant", "engine", "tool", "saw", "lines"};
  const char *head[2 + WF_MAX_TOOLS] = {"case and variant", "engine"};
  if (r->failed || r->notes.failed) return -1;
  for (int i = 0; i < n_tools; i++) head[2 + i] = tool[i].name;
  if (print_table(out, head, 2 + (size_t)n_tools, r->cells, r->n_cells) != 0) return -1;
  if (r->n_places) fputs("\nWhere both saw something:\n", out);
  if (r->n_places && print_table(out, places, 5, r->places, r->n_places) != 0) return -1;
  if (r->notes.len) fprintf(out, "\nThe tools also said:\n%s", r->notes.s);
  return 0;
}

char *wf_sanitize_json(WfSanitizeReport *r) { return r->failed ? NULL : wf_text_take(&r->json); }

void wf_sanitize_free(WfSanitizeReport *r) {
  for (size_t i = 0; i < r->n_cells; i++) free(r->cells[i]);
  for (size_t i = 0; i < r->n_places; i++) free(r->places[i]);
  free(r->cells);
  free(r->places);
  free(wf_text_take(&r->notes));
  free(wf_text_take(&r->json));
  *r = (WfSanitizeReport){0};
}
