/* report_finding.c - a line of findings.jsonl, or of a whole program's log, as a finding of a report. */
#include "report_impl.h"
#include "finding.h"
#include "number.h"
#include "textbuf.h"
#include <stdlib.h>
#include <string.h>

static const char *const state_names[WF_STATE_COUNT] = {
    [WF_STATE_FOUND] = "found", [WF_STATE_NEW] = "new",   [WF_STATE_OPEN] = "open",
    [WF_STATE_KNOWN] = "known", [WF_STATE_GONE] = "gone", [WF_STATE_MISSED] = "missed",
};

const char *wf_report_state_name(WfReportState s) { return state_names[s]; }

static WfReportState state_of(const json_t *line) {
  const char *name = wf_json_text(line, "", "state");
  for (int s = 0; name && s < WF_STATE_COUNT; s++)
    if (strcmp(name, state_names[s]) == 0) return (WfReportState)s;
  return WF_STATE_FOUND;
}

static int severity_of(const json_t *line, SimtSeverity *out) {
  const char *name = wf_json_text(line, "", "severity");
  for (*out = SIMT_MEANT; name && *out <= SIMT_ERROR; ++*out)
    if (strcmp(name, wf_severity_name(*out)) == 0) return 0;
  return -1;
}

static int take_frames(WfReport *r, const json_t *path, WfReportSide *side) {
  size_t n = json_array_size(path);
  side->frames = n ? wf_report_alloc(r, n, sizeof *side->frames) : NULL;
  if (n && !side->frames) return -2;
  for (size_t i = 0; i < n; i++) {
    const json_t *frame = json_array_get(path, i);
    WfReportFrame *f = &side->frames[side->n_frames++];
    f->function = wf_json_text(frame, "", "function");
    f->file = wf_json_text(frame, "", "file");
    wf_json_int(frame, "", "line", &f->line);
    wf_json_int(frame, "", "column", &f->column);
  }
  return 0;
}

/* 0; -2: no memory. */
static int describe_launch(WfReport *r, const char *kernel, WfReportSide *side) {
  WfText t = {0};
  wf_text_add(&t, "launch %lld, kernel %s", (long long)side->launch_number, kernel);
  if (side->launch_file) wf_text_add(&t, ", from %s at %s", side->launch_function ? side->launch_function : "?", side->launch_file);
  if (side->launch_file && side->launch_line) wf_text_add(&t, ":%lld", (long long)side->launch_line);
  if (side->launch_file && side->launch_column) wf_text_add(&t, ":%lld", (long long)side->launch_column);
  size_t len = t.len;
  char *text = wf_text_take(&t), *kept = text ? wf_report_alloc(r, len + 1, 1) : NULL;
  if (kept) memcpy(kept, text, len);
  free(text);
  side->launch = kept;
  return kept ? 0 : -2;
}

static int take_launch(WfReport *r, const json_t *line, const char *prefix, WfReportSide *side) {
  const char *kernel = wf_json_text(line, prefix, "launch_kernel");
  side->launch_file = wf_json_text(line, prefix, "launch_file");
  side->launch_function = wf_json_text(line, prefix, "launch_function");
  wf_json_int(line, prefix, "launch_number", &side->launch_number);
  wf_json_int(line, prefix, "launch_line", &side->launch_line);
  wf_json_int(line, prefix, "launch_column", &side->launch_column);
  return kernel ? describe_launch(r, kernel, side) : 0;
}

static int take_side(WfReport *r, const json_t *line, const char *prefix, WfReportSide *side) {
  char key[32];
  side->file = wf_json_text(line, prefix, "file");
  side->function = wf_json_text(line, prefix, "function");
  side->access = wf_json_text(line, prefix, "access");
  wf_json_int(line, prefix, "line", &side->line);
  wf_json_int(line, prefix, "column", &side->column);
  side->has_thread = wf_json_triple(line, prefix, "thread", side->thread);
  side->has_block = wf_json_triple(line, prefix, "block", side->block);
  side->has_epoch = wf_json_int(line, prefix, "epoch", &side->epoch);
  snprintf(key, sizeof key, "%scall_path", prefix);
  if (take_launch(r, line, prefix, side) != 0) return -2;
  return take_frames(r, json_object_get(line, key), side);
}

static void take_texts(const json_t *line, WfReportFinding *f) {
  const struct {
    const char *key, **to;
  } texts[] = {{"id", &f->id}, {"op", &f->op}, {"variant", &f->variant}, {"flavor", &f->flavor}, {"program", &f->program},
               {"tool", &f->tool}, {"kernel", &f->kernel}, {"object", &f->object}, {"element", &f->element}, {"rule", &f->rule},
               {"message", &f->message}, {"reason", &f->reason}, {"outside", &f->outside}, {"backend", &f->backend},
               {"device", &f->device}, {"build", &f->build}, {"case_key", &f->case_key}, {"case", &f->case_path}, {"replay", &f->replay},
               {"emit", &f->emit}, {"first_seen", &f->first_seen}, {"last_seen", &f->last_seen}, {"first_run", &f->first_run},
               {"last_run", &f->last_run}, {"class", &f->class_name}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    *texts[i].to = wf_json_text(line, "", texts[i].key);
    if (*texts[i].to && !**texts[i].to) *texts[i].to = NULL; /* "" says nothing either */
  }
}

static void take_numbers(const json_t *line, WfReportFinding *f) {
  f->has_value = wf_json_int(line, "", "index", &f->index);
  wf_json_int(line, "", "n_bad", &f->n_bad);
  wf_json_int(line, "", "n_elems", &f->n_elems);
  f->expected = wf_json_double(line, "expected");
  f->got = (float)wf_json_double(line, "got"); /* the line has the shortest decimal of a float */
  f->bound = wf_json_double(line, "bound");
  f->ulp = wf_json_double(line, "ulp");
  f->has_access = wf_json_int(line, "", "offset_bytes", &f->offset_bytes);
  f->has_access &= wf_json_int(line, "", "size_bytes", &f->size_bytes);
  wf_json_int(line, "", "count", &f->count);
  f->has_grid = wf_json_triple(line, "", "launch_grid", f->grid);
  wf_json_int(line, "launch_", "shared_bytes", &f->shared_bytes);
  f->has_launch_block = wf_json_triple(line, "", "launch_block", f->launch_block);
  const json_t *map = json_object_get(line, "map");
  for (size_t i = 0; i < json_array_size(map) && i < WF_REPORT_MAP_ROWS; i++) f->map[i] = json_string_value(json_array_get(map, i));
}

/* {"eps":1e-05} as "eps = 1e-05". 0; -2: no memory. */
static int take_scalars(WfReport *r, const json_t *scalars, WfReportFinding *f) {
  const char *name, *lead = "";
  char number[WF_NUMBER_SIZE];
  json_t *v;
  WfText t = {0};
  if (json_object_size(scalars) == 0) return 0;
  json_object_foreach((json_t *)scalars, name, v) {
    wf_text_add(&t, "%s%s = %s", lead, name, wf_number_print_double(number, wf_json_double(scalars, name)));
    lead = ", ";
  }
  size_t len = t.len;
  char *text = wf_text_take(&t), *kept = text ? wf_report_alloc(r, len + 1, 1) : NULL;
  if (kept) memcpy(kept, text, len);
  free(text);
  f->scalars = kept;
  return kept ? 0 : -2;
}

static int same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Of lines with one id the later one counts: of a campaign's, it has the smaller case; a log has one for each time. Two programs that share a source
 * have findings of one id. */
static WfReportFinding *place_of(WfReport *r, WfReportFinding *f) {
  for (size_t i = 0; i < r->n_findings; i++) {
    WfReportFinding *old = &r->findings[i];
    if (strcmp(old->id, f->id) != 0 || !same_text(old->program, f->program)) continue;
    if (r->is_log) f->count += old->count;
    return old;
  }
  WfReportFinding *more = wf_report_grow(r, r->findings, r->n_findings, sizeof *more);
  if (more) r->findings = more;
  return more ? &r->findings[r->n_findings++] : NULL;
}

/* What host code has called has no thread. Tools on a device do not always know one. */
static int is_between_operations(const WfReportFinding *f) {
  if (f->cls != SIMT_RACE_GLOBAL || f->tool || !f->here.function || !f->other.function) return 0;
  if (!f->here.has_thread || !f->other.has_thread) return 1;
  return f->here.launch && f->other.launch && f->here.launch_number != f->other.launch_number;
}

int wf_report_take_finding(WfReport *r, json_t *line) {
  WfReportFinding f = {.cls = SIMT_CLASS_COUNT};
  take_texts(line, &f);
  if (!f.id || !f.class_name || severity_of(line, &f.severity) != 0) {
    r->n_bad_lines++;
    return 0;
  }
  r->n_finding_lines++;
  if (simt_class_parse(f.class_name, strlen(f.class_name), &f.cls) != 0) f.cls = SIMT_CLASS_COUNT;
  f.state = state_of(line);
  take_numbers(line, &f);
  if (take_side(r, line, "", &f.here) || take_side(r, line, "other_", &f.other) || take_side(r, line, "writer_", &f.writer)) return -2;
  f.is_between_operations = is_between_operations(&f);
  if (take_scalars(r, json_object_get(line, "scalars"), &f) != 0) return -2;
  WfReportFinding *to = place_of(r, &f);
  if (!to) return -2;
  *to = f;
  return 0;
}
